/** The loop: ask the model, put its answer on record, carry out its calls, until it is done or has to stop. */
import { setImmediate } from 'node:timers/promises';
import type { Agent, Budgets, EventBody, ReasonCode, Said } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import type { CostOf } from '../budget/budget.ts';
import { createPurse } from '../budget/turn-budget.ts';
import { withinBudgets } from '../budget/within-budgets.ts';
import type { CallSurroundings } from '../calls/call-tool.ts';
import { type FinishedCall, runCalls, toResults } from '../calls/run-calls.ts';
import type { Window } from '../compaction/compact.ts';
import type { Model } from '../model/model.ts';
import { joinWords } from '../prompts/user-messages.ts';
import { noteTurn } from '../repetition/note-turn.ts';
import type { LoopVerdict } from '../repetition/noted-turn.ts';
import type { LoopWatch } from '../repetition/watch.ts';
import { withhold } from '../repetition/withhold.ts';
import { ask } from './ask.ts';
import { type Conversation, tell } from './conversation.ts';
import { endAfter, isCut, sayAfter } from './end-after.ts';
import { takeAnswer } from './take-answer.ts';

export interface TurnOptions extends CallSurroundings {
  model: Model;
  system: string;
  conversation: Conversation;
  budgets: Budgets;
  costOf: CostOf;
  window: Window;
  /** The longest answer. */
  maxOutputTokens: number;
  /** How often the agent has been set to work, this time included. */
  round: number;
  /** Whose turns these are, where not the agent's that does the work. */
  by?: Agent;
  /** Notices when the agent goes round in circles. */
  loops?: LoopWatch;
  /** Whether what was just called ends the round. */
  isDone?(call: FinishedCall): boolean;
  /** Seconds this operation has been worked on, over all attempts. */
  secondsSpent(): number;
  /** Resolves when the events are on record: all of them, in their order, or none. */
  record(...events: EventBody[]): Promise<void>;
  /** What people said that no turn on record names, in its order: the same again until one does. */
  takeMessages(): Promise<Said[]>;
  /** Whether to stop at the next good moment, where nothing is lost that was paid for. */
  shouldYield(): boolean;
  signal: AbortSignal;
}

export interface Stopped {
  kind: 'stopped';
  reason: ReasonCode;
  message: string;
  /** What the agent said last: how far it believed to be. */
  lastWords?: string | undefined;
}
export type TurnsEnd = { kind: 'done'; text: string } | Stopped | { kind: 'yielded' };

/** How a round begins: with something to say, or where an earlier attempt left off. */
export interface TurnsStart {
  /** What Fettle says before the first turn: the request, what the checks found, or nothing new. */
  told?: string | undefined;
  /** The messages of people that are part of that. */
  messages?: number[];
  /** How many answers in a row were cut off just before. */
  cutAnswers?: number;
  /** What the last turn on record led to, if nothing was said of it yet. */
  verdict?: LoopVerdict | undefined;
}

export async function runTurns(start: TurnsStart, options: TurnOptions): Promise<TurnsEnd> {
  const { conversation, record, round, loops } = options;
  const by = options.by && { by: options.by };
  const { totals } = conversation;
  const purse = createPurse(options);
  const hooks = withhold(options.hooks, loops, () => totals.turns);
  const surroundings = { ...options, hooks: withinBudgets(hooks, options.budgets, options.secondsSpent) };
  let { told: saying, messages = [], cutAnswers = 0, verdict } = start;
  let isFull = false;
  let busySince: number | undefined;

  for (;;) {
    if (verdict?.step === 'end') return stopped(verdict);
    if (isFull && !(await purse.makeRoom(totals.turns + 1, 'overflow'))) return stopped(full);
    if (purse.isCrowded()) await purse.makeRoom(totals.turns + 1, 'share');
    if (options.shouldYield()) return { kind: 'yielded' };

    const said = await options.takeMessages();
    options.signal.throwIfAborted();
    const warning = purse.takeWarning();
    const ours = [saying, verdict?.message, warning?.text].filter((text) => text !== undefined);
    const words = joinWords(ours.length > 0 ? ours.join('\n\n') : undefined, said);
    const told = words && options.mask(words);
    const room = purse.reserve(told);
    if (!room.ok) return stopped(room);

    messages = [...messages, ...said.map(({ number }) => number)];
    const turn = ++totals.turns;
    if (said.length > 0) crashPoint('messages-taken', turn);
    if (told !== undefined) tell(conversation, [{ kind: 'text', text: told }]);
    const askedAt = performance.now();
    const started: EventBody = {
      ...{ type: 'turn.started', turn, ...by, round },
      ...(told !== undefined && { told }),
      ...(messages.length > 0 && { messages }),
      ...(warning && { warned: warning.level }),
    };
    // While the question is under way, and not before it is.
    const begun = setImmediate()
      .then(() => record(started))
      .then(() => crashPoint('turn-started', turn));
    const makeRoom = () => purse.makeRoom(turn, 'overflow');
    const { maxOutputTokens } = room;
    const [answer] = await Promise.all([
      ask(options, { ...purse, turn, maxOutputTokens, begun, makeRoom }),
      begun,
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

    // Every part of the answer is on record before any of its calls is carried out.
    const { model, stopReason, usage } = answer;
    purse.payFor(usage);
    const { calls, events } = takeAnswer(conversation, answer, { turn, by: options.by });
    const harnessMs = busySince === undefined ? {} : { harnessMs: Math.max(0, askedAt - busySince) };
    const timing = { durationMs: answeredAt - askedAt, ...harnessMs };
    const paid = { model, stopReason, usage, totals: { ...totals } };
    await record(...events, { type: 'turn.finished', turn, ...by, ...paid, ...timing });
    crashPoint('answer-recorded', turn);

    cutAnswers = isCut(stopReason) ? cutAnswers + 1 : 0;
    isFull = stopReason === 'overflow';
    const end = endAfter({ ...answer, cutAnswers });
    const { finished, programMs, stop } = end ? nothingCalled : await runCalls(calls, surroundings);
    if (finished.length > 0) tell(conversation, toResults(finished));
    verdict = loops?.noteTurn(noteTurn(turn, answer.blocks, finished, options.tools));
    // Who believes to be done hears first what people said meanwhile.
    if (end && (end.kind !== 'done' || (await options.takeMessages()).length === 0)) return end;
    if (stop) return stopped(stop);
    if (finished.some((call) => options.isDone?.(call))) return { kind: 'done', text: '' };
    saying = end ? undefined : sayAfter(answer);
    busySince = answeredAt + programMs;
  }
}

const nothingCalled = { finished: [], programMs: 0, stop: undefined };

const full = {
  reason: 'context_overflow' as const,
  message: 'the conversation fills all that the model can read, and nothing of it can be left out',
};

function stopped({ reason, message }: Pick<Stopped, 'reason' | 'message'>): Stopped {
  return { kind: 'stopped', reason, message };
}
