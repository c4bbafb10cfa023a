/** Rebuilds the conversation of an operation from its record, to the byte, and finds where to go on. */
import {
  type Agent,
  type Event,
  type FinishedPart,
  type FinishedToolPart,
  interruptPart,
  type StartedToolPart,
} from '@fettle/contract';
import { replaceBySummary, shedResults } from '../compaction/shorten.ts';
import type { Block, StopReason, UserItem } from '../model/model.ts';
import { type Conversation, startConversation, tell } from './conversation.ts';
import { endAfter, isCut, sayAfter } from './end-after.ts';
import type { TurnsEnd, TurnsStart } from './run-turns.ts';
import { answerMessage } from './take-answer.ts';

export interface AnsweredTurn {
  number: number;
  blocks: Block[];
  finished: FinishedToolPart[];
  /** Whether the model was asked again after it. */
  isFollowed: boolean;
}

export interface Resumed {
  conversation: Conversation;
  /** How often the agent had been set to work; 0 where it never was. */
  round: number;
  start: TurnsStart;
  /** Every turn that was answered, for whoever watches for loops. */
  noted: AnsweredTurn[];
  /** Set when the agent had finished its round: there is nothing to ask. */
  end: TurnsEnd | undefined;
  /** Calls that were started and never finished, with the result that says so; not on record yet. */
  interrupted: FinishedToolPart[];
  /** How long the work on record took, each piece by a clock that never jumps: attempts end by one that may. */
  secondsSpent: number;
  /** The newest checkpoint on record. */
  checkpoint: string | undefined;
}

const interruptedAt = 'This call was interrupted before it was finished: ';
const whatIsLeft =
  'Nothing that it changed in the files counts: they are as they were before it. What it left in ignored files ' +
  '(build output, installed packages, caches) is gone too, since the sandbox is a new one in which only set-up was run.';

export const interruptedOutput = `${interruptedAt}the worker ended. ${whatIsLeft} Call it again if you need it.`;

/** Whether it was the call that ended the sandbox is not known; the same again may end the next one too. */
const sandboxLostOutput = (message: string) =>
  `${interruptedAt}its sandbox ended (${message}). ${whatIsLeft} If it used more than a sandbox may, do it another way.`;

type Compaction = Extract<Event, { type: 'conversation.compacted' }>;

/** What the record says of one turn. */
interface Turn {
  number: number;
  /** How the conversation was made shorter before it. */
  compactions: Compaction[];
  told: string | undefined;
  messages: number[];
  parts: (FinishedPart | StartedToolPart)[];
  results: Map<number, FinishedToolPart>;
  /** Absent until the answer was on record, whole. */
  stopReason: StopReason | undefined;
}

/** Of the agent that does the work, unless another is named. */
export function resume(all: Event[], agent?: Agent, mask = (text: string) => text): Resumed {
  const events = all.filter((event) => isOf(event, agent));
  const turns = new Map<number, Turn>();
  const compactions = new Map<number, Compaction[]>();
  const conversation = startConversation();
  let round = 0;
  let checkpoint: string | undefined;
  let interruption = interruptedOutput;
  for (const event of events) {
    if (event.type === 'turn.started') {
      // A turn whose answer was lost is started again.
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
    } else if (event.type === 'turn.finished') {
      const turn = turns.get(event.turn);
      if (turn) turn.stopReason = event.stopReason as StopReason;
    } else if (event.type === 'conversation.compacted') {
      const known = compactions.get(event.turn) ?? [];
      known.push(event);
      compactions.set(event.turn, known);
    }
  }
  // What was paid is shared by all of them.
  for (const event of all) if ('totals' in event) Object.assign(conversation.totals, event.totals);
  const secondsSpent = all.reduce((sum, event) => sum + durationOf(event), 0) / 1000;
  const rebuilt = replay(conversation, [...turns.values()], interruption);
  // Those that no turn has begun with yet.
  for (const [turn, list] of compactions) if (!turns.has(turn)) applyCompactions(conversation, list);
  return { round, checkpoint, secondsSpent, ...rebuilt };
}

function isOf(event: Event, agent: Agent | undefined): boolean {
  if ('part' in event) return event.part.by === agent;
  return event.type.startsWith('turn.') || event.type === 'conversation.compacted'
    ? (event as { by?: Agent }).by === agent
    : true;
}

/** A turn that is started again goes on with the conversation as it was made shorter for it. */
function startTurn(
  { turn, told, messages = [] }: Extract<Event, { type: 'turn.started' }>,
  compactions: Map<number, Compaction[]>,
): Turn {
  const known = compactions.get(turn) ?? [];
  compactions.set(turn, known);
  const nothing = { parts: [], results: new Map(), stopReason: undefined };
  return { number: turn, told, messages, compactions: known, ...nothing };
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
): Pick<Resumed, 'conversation' | 'start' | 'end' | 'interrupted' | 'noted'> {
  const noted: AnsweredTurn[] = [];
  let interrupted: FinishedToolPart[] = [];
  let cutAnswers = 0;
  let end: TurnsEnd | undefined;
  let told: string | undefined;
  let messages: number[] = [];
  for (const turn of turns) {
    applyCompactions(conversation, turn.compactions);
    const before = noted.at(-1);
    if (before) before.isFollowed = true;
    told = turn.told;
    messages = turn.messages;
    end = undefined;
    // It was asked and not answered: it is asked again, with the same words.
    if (turn.stopReason === undefined) break;
    if (told !== undefined) tell(conversation, [{ kind: 'text', text: told }]);
    const blocks = turn.parts.map(toBlock);
    conversation.messages.push(answerMessage(blocks, turn.number));
    const calls = turn.parts.filter((part) => part.kind === 'tool') as StartedToolPart[];
    interrupted = calls
      .filter(({ number }) => !turn.results.has(number))
      .map((part) => interruptPart(part, interruption));
    for (const part of interrupted) turn.results.set(part.number, part);
    const results = calls.flatMap(({ number }) => toResult(turn.results.get(number)));
    if (results.length > 0) tell(conversation, results);
    const finished = calls.flatMap(({ number }) => turn.results.get(number) ?? []);
    noted.push({ number: turn.number, blocks, finished, isFollowed: false });
    cutAnswers = isCut(turn.stopReason) ? cutAnswers + 1 : 0;
    end = endAfter({ blocks, stopReason: turn.stopReason, cutAnswers });
    messages = [];
    told = end ? undefined : sayAfter({ blocks, stopReason: turn.stopReason });
  }
  return { conversation, start: { told, messages, cutAnswers }, end, interrupted, noted };
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
