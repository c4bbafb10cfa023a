/** Rebuilds the conversation of an operation from its events, byte for byte, and finds where to continue. */
import {
  type Agent,
  type Event,
  type FinishedPart,
  type FinishedToolPart,
  interruptPart,
  type StartedToolPart,
  type Totals,
} from '@fettle/contract';
import { replaceBySummary, shedResults } from '../compaction/shorten.ts';
import type { Block, StopReason, UserItem } from '../model/model.ts';
import { addUserItems, type Conversation, startConversation } from './conversation.ts';
import { continuationFor, endAfter, isCut } from './end-after.ts';
import { answerMessage } from './take-answer.ts';
import type { TurnsEnd, TurnsStart } from './turn-options.ts';

export interface AnsweredTurn {
  number: number;
  blocks: Block[];
  finished: FinishedToolPart[];
  /** Whether a later turn was started. */
  isFollowed: boolean;
}

export interface Resumed {
  conversation: Conversation;
  /** The number of the last round; 0 if none was started. */
  round: number;
  start: TurnsStart;
  /** The answered turns of this revision, for the detection of repetition. */
  answered: AnsweredTurn[];
  /** Set if the agent had finished its round, so there is nothing to ask. */
  end: TurnsEnd | undefined;
  /** Calls that started and never finished, with a result that says so. These results are not recorded yet. */
  interrupted: FinishedToolPart[];
  /** The sum of the recorded durations. These come from a monotonic clock; the start and end of attempts do not. */
  secondsSpent: number;
  /** The newest recorded checkpoint. */
  checkpoint: string | undefined;
}

const interrupted = 'This call was interrupted before it finished: ';
const filesAreRestored =
  'Its changes to files are discarded: the files are as they were before the call. Ignored files that it wrote ' +
  '(build output, installed packages, caches) are gone too, because this is a new sandbox in which only the set-up ran.';

export const interruptedOutput = `${interrupted}the worker stopped. ${filesAreRestored} Call it again if you need it.`;

/** It is not known whether the call ended the sandbox. If it did, the same call may end the next sandbox too. */
const sandboxLostOutput = (message: string) =>
  `${interrupted}its sandbox ended (${message}). ${filesAreRestored} If the call used more resources than a sandbox has, do it another way.`;

type Compaction = Extract<Event, { type: 'conversation.compacted' }>;

/** The recorded events of one turn. */
interface Turn {
  number: number;
  /** The compactions before this turn. */
  compactions: Compaction[];
  userMessage: string | undefined;
  messages: number[];
  parts: (FinishedPart | StartedToolPart)[];
  results: Map<number, FinishedToolPart>;
  /** Undefined until the whole answer is recorded. */
  stopReason: StopReason | undefined;
}

/** Resumes the main agent, unless another one is named. */
export function resume(all: Event[], agent?: Agent, mask = (text: string) => text): Resumed {
  const events = all.filter((event) => belongsTo(event, agent));
  const turns = new Map<number, Turn>();
  const compactions = new Map<number, Compaction[]>();
  const conversation = startConversation();
  let round = 0;
  let checkpoint: string | undefined;
  let interruption = interruptedOutput;
  /** The turns of earlier revisions, and whether the current one has begun. */
  let before = 0;
  let isBegun = true;
  for (const event of events) {
    if (event.type === 'revision.started') {
      round = 0;
      before = Math.max(0, ...turns.keys());
      isBegun = false;
      conversation.warned = 0;
    } else if (event.type === 'turn.started') {
      isBegun = true;
      // A turn whose answer was lost starts again and replaces the earlier start.
      turns.set(event.turn, startTurn(event, compactions));
      round = event.round;
      conversation.warned = event.warned ?? conversation.warned;
    } else if (event.type === 'part.started') {
      turns.get(event.part.turn)?.parts.push(event.part);
    } else if (event.type === 'part.finished') {
      const { part } = event;
      const turn = turns.get(part.turn);
      if (part.kind !== 'tool') turn?.parts.push(part);
      else turn?.results.set(part.number, part);
      if (part.kind === 'tool') checkpoint = part.checkpoint ?? checkpoint;
    } else if (event.type === 'operation.state' && event.to === 'queued') {
      const { reason, message = '' } = event;
      interruption = reason === 'sandbox_lost' ? mask(sandboxLostOutput(message)) : interruptedOutput;
    } else if (event.type === 'checkpoint.written') {
      checkpoint = event.checkpoint;
    } else if (event.type === 'branch.followed') {
      checkpoint = event.commit;
    } else if (event.type === 'turn.finished') {
      const turn = turns.get(event.turn);
      if (turn) turn.stopReason = event.stopReason as StopReason;
    } else if (event.type === 'conversation.compacted') {
      const known = compactions.get(event.turn) ?? [];
      known.push(event);
      compactions.set(event.turn, known);
    }
  }
  // All agents share the totals.
  Object.assign(conversation.totals, sumSpent(all).totals);
  const { secondsSpent } = sumSpent(all);
  const rebuilt = replay(conversation, [...turns.values()], interruption);
  // Compactions before a turn that has not started yet.
  for (const [turn, list] of compactions) if (!turns.has(turn)) applyCompactions(conversation, list);
  const answered = rebuilt.answered.filter(({ number }) => number > before);
  const resumed = { round, checkpoint, secondsSpent, ...rebuilt, answered };
  return isBegun ? resumed : { ...resumed, start: {}, end: undefined };
}

/** What the recorded work has used up. */
export function sumSpent(events: Event[]): { totals: Partial<Totals>; secondsSpent: number } {
  const totals = {};
  for (const event of events) if ('totals' in event) Object.assign(totals, event.totals);
  return { totals, secondsSpent: events.reduce((sum, event) => sum + durationOf(event), 0) / 1000 };
}

function belongsTo(event: Event, agent: Agent | undefined): boolean {
  if ('part' in event) return event.part.by === agent;
  return event.type.startsWith('turn.') || event.type === 'conversation.compacted'
    ? (event as { by?: Agent }).by === agent
    : true;
}

/** A turn that starts again keeps the compactions that were made for it. */
function startTurn(
  { turn, told: userMessage, messages = [] }: Extract<Event, { type: 'turn.started' }>,
  compactions: Map<number, Compaction[]>,
): Turn {
  const known = compactions.get(turn) ?? [];
  compactions.set(turn, known);
  const unanswered = { parts: [], results: new Map(), stopReason: undefined };
  return { number: turn, userMessage, messages, compactions: known, ...unanswered };
}

function applyCompactions(conversation: Conversation, compactions: Compaction[]): void {
  for (const { way, keptFrom, summary = '' } of compactions) {
    const { messages } = conversation;
    conversation.messages =
      way === 'results' ? shedResults(messages, keptFrom) : replaceBySummary(messages, keptFrom, summary);
  }
}

function durationOf(event: Event): number {
  if (event.type === 'workspace.ready' || event.type === 'turn.finished') return event.durationMs;
  if (event.type === 'check.finished')
    return event.phase === 'setup' || event.remembered ? 0 : event.check.durationMs;
  return event.type === 'part.finished' && event.part.kind === 'tool' ? event.part.durationMs : 0;
}

function replay(
  conversation: Conversation,
  turns: Turn[],
  interruption: string,
): Pick<Resumed, 'conversation' | 'start' | 'end' | 'interrupted' | 'answered'> {
  const answered: AnsweredTurn[] = [];
  let unfinished: FinishedToolPart[] = [];
  let cutAnswers = 0;
  let end: TurnsEnd | undefined;
  let userMessage: string | undefined;
  let messages: number[] = [];
  for (const turn of turns) {
    applyCompactions(conversation, turn.compactions);
    const before = answered.at(-1);
    if (before) before.isFollowed = true;
    userMessage = turn.userMessage;
    messages = turn.messages;
    end = undefined;
    // The turn was asked and not answered, so it is asked again with the same user message.
    if (turn.stopReason === undefined) break;
    if (userMessage !== undefined) addUserItems(conversation, [{ kind: 'text', text: userMessage }]);
    const blocks = turn.parts.map(toBlock);
    conversation.messages.push(answerMessage(blocks, turn.number));
    const calls = turn.parts.filter((part) => part.kind === 'tool') as StartedToolPart[];
    unfinished = calls
      .filter(({ number }) => !turn.results.has(number))
      .map((part) => interruptPart(part, interruption));
    for (const part of unfinished) turn.results.set(part.number, part);
    const results = calls.flatMap(({ number }) => toResult(turn.results.get(number)));
    if (results.length > 0) addUserItems(conversation, results);
    const finished = calls.flatMap(({ number }) => turn.results.get(number) ?? []);
    answered.push({ number: turn.number, blocks, finished, isFollowed: false });
    cutAnswers = isCut(turn.stopReason) ? cutAnswers + 1 : 0;
    end = endAfter({ blocks, stopReason: turn.stopReason, cutAnswers });
    messages = [];
    userMessage = end ? undefined : continuationFor({ blocks, stopReason: turn.stopReason });
  }
  return {
    conversation,
    start: { userMessage, messages, cutAnswers },
    end,
    interrupted: unfinished,
    answered,
  };
}

function toBlock(part: FinishedPart | StartedToolPart): Block {
  if (part.kind === 'text') return { kind: 'text', text: part.text };
  if (part.kind === 'reasoning') return { kind: 'reasoning', text: part.text, block: part.block };
  return { kind: 'tool', callId: part.callId, tool: part.tool, input: part.input };
}

function toResult(part: FinishedToolPart | undefined): UserItem[] {
  if (!part) return [];
  const { callId, output, status } = part;
  return [{ kind: 'result', callId, output, isError: status !== 'ok' }];
}
