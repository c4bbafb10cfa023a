// Which recorded turn answers a request. It depends on the request alone, so that a request that is
// retried or resumed gets the same answer.
import { checkExpectation } from './check-expectation.ts';
import type { Conversation, Turn } from './conversation.ts';
import { type Dialogue, textOf } from './dialogue.ts';

type Choice =
  | { ok: true; conversation: Conversation; turn: Turn; number: number }
  | { ok: false; conversation: string | null; number: number; reason: string };

export function chooseTurn(conversations: Conversation[], dialogue: Dialogue): Choice {
  const number = dialogue.filter((message) => message.role === 'assistant').length + 1;
  const request = textOf(dialogue[0]?.content ?? []);
  const conversation = conversations.find((it) => fits(it.match, request));
  if (!conversation)
    return { ok: false, conversation: null, number, reason: noneFits(conversations, request) };

  const { name, turns, cycle } = conversation;
  const turn = turns[cycle ? (number - 1) % turns.length : number - 1];
  if (!turn) {
    const reason = `the record has only ${turns.length} turns`;
    return { ok: false, conversation: name, number, reason };
  }
  const unmet = checkExpectation(turn.expect, dialogue.at(-1)?.content ?? []);
  if (unmet) return { ok: false, conversation: name, number, reason: unmet };
  return { ok: true, conversation, turn, number };
}

function fits(match: Conversation['match'], request: string): boolean {
  if (match === undefined) return true;
  return typeof match === 'string' ? request.includes(match) : new RegExp(match.pattern).test(request);
}

function noneFits(conversations: Conversation[], request: string): string {
  const names = conversations.map((it) => it.name).join(', ');
  return `no conversation (of: ${names}) matches the first user message ${JSON.stringify(request.slice(0, 300))}`;
}
