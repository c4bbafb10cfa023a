/** Rebuilds the conversation of an operation from its record, to the byte, and finds where to go on. */
import {
  type Event,
  type FinishedPart,
  type FinishedToolPart,
  interruptPart,
  type StartedToolPart,
} from '@fettle/contract';
import { type Conversation, startConversation, tell } from './conversation.ts';
import { endAfter, goOn } from './end-after.ts';
import type { Block, StopReason, UserItem } from './model/model.ts';
import type { TurnsEnd, TurnsStart } from './run-turns.ts';
import { answerMessage } from './take-answer.ts';

export interface Resumed {
  conversation: Conversation;
  /** How often the agent had been set to work; 0 where it never was. */
  round: number;
  start: TurnsStart;
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

/** What the record says of one turn. */
interface Turn {
  told: string | undefined;
  messages: number[];
  parts: (FinishedPart | StartedToolPart)[];
  results: Map<number, FinishedToolPart>;
  /** Absent until the answer was on record, whole. */
  stopReason: StopReason | undefined;
}

export function resume(events: Event[]): Resumed {
  const turns = new Map<number, Turn>();
  const conversation = startConversation();
  let round = 0;
  let checkpoint: string | undefined;
  let interruption = interruptedOutput;
  for (const event of events) {
    if (event.type === 'turn.started') {
      // A turn whose answer was lost is started again.
      const { told, messages = [] } = event;
      turns.set(event.turn, { told, messages, parts: [], results: new Map(), stopReason: undefined });
      round = event.round;
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
      interruption = reason === 'sandbox_lost' ? sandboxLostOutput(message) : interruptedOutput;
    } else if (event.type === 'checkpoint.written') {
      checkpoint = event.checkpoint;
    } else if (event.type === 'turn.finished') {
      const turn = turns.get(event.turn);
      if (turn) turn.stopReason = event.stopReason as StopReason;
      Object.assign(conversation.totals, event.totals);
    }
  }
  const secondsSpent = events.reduce((sum, event) => sum + durationOf(event), 0) / 1000;
  return { round, checkpoint, secondsSpent, ...replay(conversation, [...turns.values()], interruption) };
}

function durationOf(event: Event): number {
  if (event.type === 'workspace.ready' || event.type === 'turn.finished') return event.durationMs;
  if (event.type === 'check.finished') return event.phase === 'setup' ? 0 : event.check.durationMs;
  return event.type === 'part.finished' && event.part.kind === 'tool' ? event.part.durationMs : 0;
}

function replay(
  conversation: Conversation,
  turns: Turn[],
  interruption: string,
): Pick<Resumed, 'conversation' | 'start' | 'end' | 'interrupted'> {
  let interrupted: FinishedToolPart[] = [];
  let cutAnswers = 0;
  let end: TurnsEnd | undefined;
  let told: string | undefined;
  let messages: number[] = [];
  for (const turn of turns) {
    told = turn.told;
    messages = turn.messages;
    end = undefined;
    // It was asked and not answered: it is asked again, with the same words.
    if (turn.stopReason === undefined) break;
    if (told !== undefined) tell(conversation, [{ kind: 'text', text: told }]);
    const blocks = turn.parts.map(toBlock);
    conversation.messages.push(answerMessage(blocks));
    const calls = turn.parts.filter((part) => part.kind === 'tool') as StartedToolPart[];
    interrupted = calls
      .filter(({ number }) => !turn.results.has(number))
      .map((part) => interruptPart(part, interruption));
    for (const part of interrupted) turn.results.set(part.number, part);
    const results = calls.flatMap(({ number }) => toResult(turn.results.get(number)));
    if (results.length > 0) tell(conversation, results);
    cutAnswers = turn.stopReason === 'cut' ? cutAnswers + 1 : 0;
    end = endAfter({ blocks, stopReason: turn.stopReason, cutAnswers });
    told = calls.length === 0 && !end ? goOn : undefined;
    messages = [];
  }
  return { conversation, start: { told, messages, cutAnswers }, end, interrupted };
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
