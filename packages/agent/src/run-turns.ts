/** The loop: ask the model, put its answer on record, carry out its calls, until it is done or has to stop. */
import type { Budgets, EventBody, ReasonCode, Said } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import { type CallSurroundings, callTool } from './call-tool.ts';
import { type Conversation, tell } from './conversation.ts';
import { endAfter, goOn } from './end-after.ts';
import { type Model, type ModelAnswer, ModelFailure, type UserItem } from './model/model.ts';
import { joinWords } from './prompts/people-words.ts';
import { findOverspent } from './spend.ts';
import { type PendingCall, takeAnswer } from './take-answer.ts';

export interface TurnOptions extends CallSurroundings {
  model: Model;
  system: string;
  conversation: Conversation;
  budgets: Budgets;
  /** How often the agent has been set to work, this time included. */
  round: number;
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

type Stopped = { kind: 'stopped'; reason: ReasonCode; message: string };
export type TurnsEnd = { kind: 'done'; text: string } | Stopped | { kind: 'yielded' };

/** How a round begins: with something to say, or where an earlier attempt left off. */
export interface TurnsStart {
  /** What Fettle says before the first turn: the request, what the checks found, or nothing new. */
  told?: string | undefined;
  /** The messages of people that are part of that. */
  messages?: number[];
  /** How many answers in a row were cut off just before. */
  cutAnswers?: number;
}

export async function runTurns(start: TurnsStart, options: TurnOptions): Promise<TurnsEnd> {
  const { conversation, record, round } = options;
  const { totals } = conversation;
  let saying = start.told;
  let messages = start.messages ?? [];
  let cutAnswers = start.cutAnswers ?? 0;
  let busySince: number | undefined;

  for (;;) {
    const overspent = findOverspent(options.budgets, { ...totals, seconds: options.secondsSpent() });
    if (overspent) return { kind: 'stopped', ...overspent };
    if (options.shouldYield()) return { kind: 'yielded' };

    const said = await options.takeMessages();
    options.signal.throwIfAborted();
    messages = [...messages, ...said.map(({ number }) => number)];
    saying = joinWords(saying, said);

    const turn = ++totals.turns;
    if (said.length > 0) crashPoint('messages-taken', turn);
    if (saying !== undefined) tell(conversation, [{ kind: 'text', text: saying }]);
    const askedAt = performance.now();
    const [answer] = await Promise.all([
      ask(options, turn),
      record({
        ...{ type: 'turn.started', turn, round },
        ...(saying !== undefined && { told: saying }),
        ...(messages.length > 0 && { messages }),
      }).then(() => crashPoint('turn-started', turn)),
    ]);
    messages = [];
    if ('kind' in answer) {
      const { reason, message } = answer;
      await record({ type: 'turn.failed', turn, reason, message });
      return answer;
    }
    crashPoint('answered', turn);
    const answeredAt = performance.now();

    // Every part of the answer is on record before any of its calls is carried out.
    const { calls, events } = takeAnswer(conversation, answer, turn);
    const { model, stopReason, usage } = answer;
    const harnessMs = busySince === undefined ? {} : { harnessMs: Math.max(0, askedAt - busySince) };
    const timing = { durationMs: answeredAt - askedAt, ...harnessMs };
    const paid = { model, stopReason, usage, totals: { ...totals } };
    await record(...events, { type: 'turn.finished', turn, ...paid, ...timing });
    crashPoint('answer-recorded', turn);

    cutAnswers = stopReason === 'cut' ? cutAnswers + 1 : 0;
    const end = endAfter({ ...answer, cutAnswers });
    // Who believes to be done hears first what people said meanwhile.
    if (end && (end.kind !== 'done' || (await options.takeMessages()).length === 0)) return end;
    saying = calls.length === 0 && !end ? goOn : undefined;
    busySince = answeredAt + (await runCalls(calls, options));
  }
}

/** The budget of time binds in the middle of an answer too: a stream may drip for ever. */
async function ask(options: TurnOptions, turn: number): Promise<ModelAnswer | Stopped> {
  const { model, system, tools, conversation, record, signal, budgets } = options;
  const secondsLeft = Math.max(0.001, budgets.seconds - options.secondsSpent());
  const deadline = AbortSignal.timeout(Math.ceil(secondsLeft * 1000));
  try {
    return await model.answer(
      { system, tools, messages: conversation.messages },
      {
        signal: AbortSignal.any([signal, deadline]),
        onRetry: (retry) => record({ type: 'turn.retried', turn, ...retry }),
      },
    );
  } catch (error) {
    if (error instanceof ModelFailure)
      return { kind: 'stopped', reason: error.reason, message: error.message };
    if (signal.aborted || !deadline.aborted) throw error;
    const message = `the ${budgets.seconds} seconds were used up in the middle of an answer`;
    return { kind: 'stopped', reason: 'budget_seconds', message };
  }
}

/** Carries out the calls of one answer in their order, and gives the time that programs ran. */
async function runCalls(calls: PendingCall[], options: TurnOptions): Promise<number> {
  const results: UserItem[] = [];
  let programMs = 0;
  for (const { part, fault } of calls) {
    const result = await callTool({ tool: part.tool, input: part.input, fault }, options);
    crashPoint('tool-ran', part.number);
    await options.record({ type: 'part.finished', part: { ...part, ...result } });
    crashPoint('part-finished', part.number);
    const { output, status } = result;
    results.push({ kind: 'result', callId: part.callId, output, isError: status !== 'ok' });
    programMs += result.programMs;
  }
  if (results.length > 0) tell(options.conversation, results);
  return programMs;
}
