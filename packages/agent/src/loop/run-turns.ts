/** The loop: ask the model, record its answer, run its calls, until the model is done or has to stop. */
import { setImmediate } from 'node:timers/promises';
import type { EventBody, Said } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import { withinBudgets } from '../budget/budget.ts';
import { createTurnBudget } from '../budget/turn-budget.ts';
import { runCalls, toResults } from '../calls/run-calls.ts';
import { observeTurn } from '../repetition/observed-turn.ts';
import { blockWithheld } from '../repetition/watch.ts';
import { ask } from './ask.ts';
import { addUserItems } from './conversation.ts';
import { continuationFor, endAfter, isCut } from './end-after.ts';
import { takeAnswer } from './take-answer.ts';
import type { Stopped, TurnOptions, TurnsEnd, TurnsStart } from './turn-options.ts';

export async function runTurns(start: TurnsStart, options: TurnOptions): Promise<TurnsEnd> {
  const { conversation, record, round, repetition } = options;
  const by = options.by && { by: options.by };
  const { totals } = conversation;
  const budget = createTurnBudget(options);
  const hooks = blockWithheld(options.hooks, repetition, () => totals.turns);
  const environment = { ...options, hooks: withinBudgets(hooks, options.budgets, options.secondsSpent) };
  let { userMessage: nextMessage, messages = [], cutAnswers = 0, verdict } = start;
  let isOverflow = false;
  let harnessSince: number | undefined;

  for (;;) {
    if (verdict?.step === 'end') return stopped(verdict);
    if (isOverflow && !(await budget.makeRoom(totals.turns + 1, 'overflow'))) return stopped(windowFull);
    if (budget.shouldCompact()) await budget.makeRoom(totals.turns + 1, 'share');
    if (options.shouldYield()) return { kind: 'yielded' };

    const said = await options.takeMessages();
    options.signal.throwIfAborted();
    const warning = budget.takeWarning();
    const ours = [nextMessage, verdict?.message, warning?.text].filter((text) => text !== undefined);
    const joined = joinMessages(ours.length > 0 ? ours.join('\n\n') : undefined, said);
    const userMessage = joined && options.mask(joined);
    const room = budget.reserve(userMessage);
    if (!room.ok) return stopped(room);

    messages = [...messages, ...said.map(({ number }) => number)];
    const turn = ++totals.turns;
    if (said.length > 0) crashPoint('messages-taken', turn);
    if (userMessage !== undefined) addUserItems(conversation, [{ kind: 'text', text: userMessage }]);
    const askedAt = performance.now();
    const started: EventBody = {
      ...{ type: 'turn.started', turn, ...by, round },
      ...(userMessage !== undefined && { told: userMessage }),
      ...(messages.length > 0 && { messages }),
      ...(warning && { warned: warning.level }),
    };
    // Recorded while the request is under way: setImmediate lets the request be sent first.
    const turnStarted = setImmediate()
      .then(() => record(started))
      .then(() => crashPoint('turn-started', turn));
    const makeRoom = () => budget.makeRoom(turn, 'overflow');
    const { maxOutputTokens } = room;
    const [answer] = await Promise.all([
      ask(options, { ...budget, turn, maxOutputTokens, turnStarted, makeRoom }),
      turnStarted,
    ]);
    messages = [];
    if ('kind' in answer) {
      const { reason, message } = answer;
      await record({
        type: 'turn.failed',
        turn,
        ...by,
        reason,
        message,
        totals: { ...totals, turns: turn - 1 },
      });
      return answer;
    }
    crashPoint('answered', turn);
    const answeredAt = performance.now();

    // Every part of the answer is recorded before any of its calls runs.
    const { model, stopReason, usage } = answer;
    budget.payFor(usage);
    const { calls, events } = takeAnswer(conversation, answer, { turn, by: options.by });
    const harnessMs = harnessSince === undefined ? {} : { harnessMs: Math.max(0, askedAt - harnessSince) };
    const timing = { durationMs: answeredAt - askedAt, ...harnessMs };
    const paid = { model, stopReason, usage, totals: { ...totals } };
    await record(...events, { type: 'turn.finished', turn, ...by, ...paid, ...timing });
    crashPoint('answer-recorded', turn);

    cutAnswers = isCut(stopReason) ? cutAnswers + 1 : 0;
    isOverflow = stopReason === 'overflow';
    const end = endAfter({ ...answer, cutAnswers });
    const { finished, programMs, stop } = end ? noCalls : await runCalls(calls, environment);
    if (finished.length > 0) addUserItems(conversation, toResults(finished));
    verdict = repetition?.observe(observeTurn(turn, answer.blocks, finished, options.tools));
    // An agent that believes it is done first gets the messages that arrived meanwhile.
    if (end && (end.kind !== 'done' || (await options.takeMessages()).length === 0)) return end;
    if (stop) return stopped(stop);
    if (finished.some((call) => options.isDone?.(call))) return { kind: 'done', text: '' };
    nextMessage = end ? undefined : continuationFor(answer);
    harnessSince = answeredAt + programMs;
  }
}

const noCalls = { finished: [], programMs: 0, stop: undefined };

const windowFull = {
  reason: 'context_overflow' as const,
  message: 'the conversation fills the context window of the model and cannot be made shorter',
};

function stopped({ reason, message }: Pick<Stopped, 'reason' | 'message'>): Stopped {
  return { kind: 'stopped', reason, message };
}

const authority = 'whose messages count as much as the request itself, says:';

/** Joins the user message of a turn: first Fettle's own text, then the messages from people in the order they came. */
function joinMessages(fromFettle: string | undefined, said: Said[]): string | undefined {
  const messages = said.map(({ by, text }) => `${by}, ${authority}\n\n${text}`);
  if (fromFettle !== undefined) messages.unshift(fromFettle);
  return messages.length > 0 ? messages.join('\n\n') : undefined;
}
