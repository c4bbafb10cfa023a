import type { Agent, EventBody, StartedToolPart } from '@fettle/contract';
import { type Block, emptyAnswer, type Message, type ModelAnswer } from '../model/model.ts';
import type { Conversation } from './conversation.ts';

export interface PendingCall {
  part: StartedToolPart;
  /** Why the call cannot run, if its input is broken. */
  fault: string | undefined;
}

export interface TakenAnswer {
  calls: PendingCall[];
  events: EventBody[];
}

/** Adds an answer to the conversation and numbers its parts: a call has started, everything else is finished. */
export function takeAnswer(
  { totals, messages }: Conversation,
  { blocks }: ModelAnswer,
  { turn, by }: { turn: number; by?: Agent | undefined },
): TakenAnswer {
  const taken: TakenAnswer = { calls: [], events: [] };
  for (const block of blocks) {
    const place = { number: ++totals.parts, turn, ...(by && { by }) };
    if (block.kind === 'tool') {
      const { callId, tool, input, fault } = block;
      const part: StartedToolPart = { ...place, kind: 'tool', callId, tool, input };
      taken.calls.push({ part, fault });
      taken.events.push({ type: 'part.started', part });
    } else {
      taken.events.push({ type: 'part.finished', part: { ...place, ...block } });
    }
  }
  messages.push(answerMessage(blocks, turn));
  return taken;
}

export function answerMessage(blocks: Block[], turn: number): Message {
  return {
    role: 'assistant',
    turn,
    blocks: blocks.length > 0 ? blocks : [{ kind: 'text', text: emptyAnswer }],
  };
}
