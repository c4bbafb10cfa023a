/** The loop: ask the model, put its answer on record, carry out its calls, until it is done or has to stop. */
import type { Budgets, EventBody, ReasonCode } from '@fettle/contract';
import { type CallSurroundings, callTool } from './call-tool.ts';
import { type Conversation, tell } from './conversation.ts';
import { type Block, type Model, type ModelAnswer, ModelFailure, type UserItem } from './model/model.ts';
import { findOverspent } from './spend.ts';
import { type PendingCall, takeAnswer } from './take-answer.ts';

export interface TurnOptions extends CallSurroundings {
  model: Model;
  system: string;
  conversation: Conversation;
  budgets: Budgets;
  /** Seconds this operation has been worked on, over all attempts. */
  secondsSpent(): number;
  /** Resolves when the events are on record, in their order. */
  record(...events: EventBody[]): Promise<void>;
  signal: AbortSignal;
}

export type TurnsEnd =
  | { kind: 'done'; text: string }
  | { kind: 'stopped'; reason: ReasonCode; message: string };

const maxCutAnswers = 3;
const goOn = 'Your answer was cut off at the limit of one answer. Go on from there, in smaller pieces.';

/** `told` is what Fettle says before the first turn: the request, or what the checks found. */
export async function runTurns(told: string, options: TurnOptions): Promise<TurnsEnd> {
  const { conversation, record } = options;
  const { totals } = conversation;
  let saying: string | undefined = told;
  let cutAnswers = 0;
  let busySince: number | undefined;

  for (;;) {
    const overspent = findOverspent(options.budgets, { ...totals, seconds: options.secondsSpent() });
    if (overspent) return { kind: 'stopped', ...overspent };

    const turn = ++totals.turns;
    if (saying !== undefined) tell(conversation, [{ kind: 'text', text: saying }]);
    const askedAt = performance.now();
    const [answer] = await Promise.all([
      ask(options, turn),
      record({ type: 'turn.started', turn, ...(saying !== undefined && { told: saying }) }),
    ]);
    if ('kind' in answer) return answer;
    const answeredAt = performance.now();

    // Every part of the answer is on record before any of its calls is carried out.
    const { calls, events } = takeAnswer(conversation, answer, turn);
    const { model, stopReason, usage } = answer;
    const harnessMs = busySince === undefined ? {} : { harnessMs: Math.max(0, askedAt - busySince) };
    const timing = { durationMs: answeredAt - askedAt, ...harnessMs };
    await record(...events, {
      type: 'turn.finished',
      turn,
      model,
      stopReason,
      usage,
      totals: { ...totals },
      ...timing,
    });

    cutAnswers = stopReason === 'cut' ? cutAnswers + 1 : 0;
    const stop = reasonToStop(answer, cutAnswers);
    if (stop) return stop;
    if (calls.length === 0 && stopReason !== 'cut') return { kind: 'done', text: textOf(answer.blocks) };
    saying = calls.length === 0 ? goOn : undefined;
    busySince = answeredAt + (await runCalls(calls, options));
  }
}

/** The budget of time binds in the middle of an answer too: a stream may drip for ever. */
async function ask(options: TurnOptions, turn: number): Promise<ModelAnswer | TurnsEnd> {
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

function reasonToStop({ stopReason, blocks }: ModelAnswer, cutAnswers: number): TurnsEnd | undefined {
  if (stopReason === 'refusal')
    return { kind: 'stopped', reason: 'model_refused', message: textOf(blocks) || 'no reason given' };
  if (cutAnswers < maxCutAnswers) return undefined;
  const message = `${cutAnswers} answers in a row reached the limit of one answer`;
  return { kind: 'stopped', reason: 'model_cut_short', message };
}

/** Carries out the calls of one answer in their order, and gives the time that programs ran. */
async function runCalls(calls: PendingCall[], options: TurnOptions): Promise<number> {
  const results: UserItem[] = [];
  let programMs = 0;
  for (const { part, fault } of calls) {
    const result = await callTool({ tool: part.tool, input: part.input, fault }, options);
    await options.record({ type: 'part.finished', part: { ...part, ...result } });
    const { output, status } = result;
    results.push({ kind: 'result', callId: part.callId, output, isError: status !== 'ok' });
    programMs += result.programMs;
  }
  if (results.length > 0) tell(options.conversation, results);
  return programMs;
}

function textOf(blocks: Block[]): string {
  const texts = blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : []));
  return texts.join('\n\n').trim();
}
