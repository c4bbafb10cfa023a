/** Runs the agent's turns. All rounds of an attempt share one conversation, and the first continues an earlier attempt. */
import {
  createRepetitionWatch,
  lastTextOf,
  observeTurn,
  type RepetitionVerdict,
  type RepetitionWatch,
  runTurns,
  startConversation,
  systemPrompt,
  type Tool,
  type TurnOptions,
  type TurnsEnd,
  type TurnsStart,
} from '@fettle/agent';
import type { Attempt, OperationRecord } from '../attempt/attempt.ts';
import type { Earlier } from '../attempt/read-earlier.ts';
import type { CommonOptions } from './turn-options.ts';

export type Turns = (userMessage: string | undefined, round: number) => Promise<TurnsEnd>;

export type TurnsSettings = Pick<TurnOptions, 'tools' | 'withheld'> &
  Partial<Pick<TurnOptions, 'shouldYield'>>;

export function createTurns(
  attempt: Pick<Attempt, 'claim' | 'config' | 'messages' | 'record' | 'spent'>,
  common: CommonOptions,
  earlier: Earlier | undefined,
  settings: TurnsSettings,
): Turns {
  const { claim, config, messages, record, spent } = attempt;
  const { tools } = settings;
  const conversation = { ...(earlier?.conversation ?? startConversation()), totals: spent.totals };
  const repetition = createRepetitionWatch({ tools, threshold: config.loopThreshold });
  const verdict = earlier && replayTurns(repetition, tools, earlier);
  const options = {
    ...common,
    ...settings,
    system: systemPrompt(claim.operation.request.kind),
    conversation,
    repetition,
    takeMessages: messages.take,
  };
  let unfinished = earlier;
  return async (userMessage, round) => {
    const end = await runRound(userMessage, round);
    return end.kind === 'stopped' ? { ...end, lastText: lastTextOf(conversation) } : end;
  };

  /** A revision that has not begun starts with its own message. */
  async function startAfter(
    before: Earlier,
    userMessage: string | undefined,
  ): Promise<TurnsStart | TurnsEnd> {
    const continued = await continueEarlier(record, before);
    return before.round > 0 ? continued : { userMessage };
  }

  async function runRound(userMessage: string | undefined, round: number): Promise<TurnsEnd> {
    const isNew = unfinished === undefined;
    const start = unfinished ? await startAfter(unfinished, userMessage) : { userMessage };
    unfinished = undefined;
    if ('kind' in start && (start.kind !== 'done' || (await messages.take()).length === 0)) return start;
    // An earlier attempt ended with a finished agent: it continues with the messages that arrived since.
    const begin = 'kind' in start ? {} : { ...start, ...(!isNew && { verdict }) };
    return runTurns(begin, { ...options, round });
  }
}

/** Replays the earlier turns, and returns the verdict on the last one if the model has not seen it yet. */
function replayTurns(
  repetition: RepetitionWatch,
  tools: Tool[],
  { answered }: Earlier,
): RepetitionVerdict | undefined {
  let verdict: RepetitionVerdict | undefined;
  for (const { number, blocks, finished, isFollowed } of answered) {
    const calls = finished.map((part) => ({ part, result: part }));
    const found = repetition.observe(observeTurn(number, blocks, calls, tools));
    verdict = isFollowed ? undefined : found;
  }
  return verdict;
}

type Unfinished = Pick<Earlier, 'start' | 'end' | 'interrupted'>;

/** Records the tool calls that the end of the earlier attempt interrupted, then returns where its round continues. */
export async function continueEarlier(
  record: OperationRecord,
  earlier: Unfinished,
): Promise<TurnsStart | TurnsEnd> {
  await recordInterrupted(record, earlier);
  return earlier.end ?? earlier.start;
}

export async function recordInterrupted(
  record: OperationRecord,
  { interrupted }: Pick<Unfinished, 'interrupted'>,
): Promise<void> {
  if (interrupted.length > 0)
    await record.append(...interrupted.map((part) => ({ type: 'part.finished' as const, part })));
}
