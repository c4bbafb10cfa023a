/**
 * Chooses the recorded turn that answers a request. The choice depends on the request alone, so a request that is repeated
 * or resumed gets the same answer.
 */
import type { Conversation, Turn } from '../record/conversation.ts';
import { type Dialogue, resultTexts, textOf } from '../request/dialogue.ts';
import { checkExpectation } from './check-expectation.ts';

type Choice =
  | { ok: true; conversation: Conversation; turn: Turn; number: number }
  | { ok: false; conversation: string | null; number: number; reason: string };

/** `answers` counts the answers of the model, including this one. */
export function chooseTurn(conversations: Conversation[], dialogue: Dialogue, answers: number): Choice {
  const request = textOf(dialogue[0]?.content ?? []);
  const conversation = conversations.find((it) => fits(it.match, request));
  if (!conversation)
    return { ok: false, conversation: null, number: answers, reason: noneFits(conversations, request) };

  const { name, turns, repeatOn, asides = [] } = conversation;
  const asked = textOf(dialogue.at(-1)?.content ?? []);
  const aside = asides.find(({ match }) => asked.includes(match));
  if (aside) return { ok: true, conversation, turn: aside.turn, number: 0 };
  const number = answers - countRepeats(dialogue, repeatOn);
  const turn = turnAt(conversation, number);
  if (!turn) {
    const reason = `the record has only ${turns.length} turns`;
    return { ok: false, conversation: name, number, reason };
  }
  const unmet = checkExpectation(turn.expect, dialogue.at(-1)?.content ?? []);
  if (unmet) return { ok: false, conversation: name, number, reason: unmet };
  return { ok: true, conversation, turn, number };
}

/** Whether the request ends with an answer that paused. */
export function endsPaused(conversations: Conversation[], dialogue: Dialogue, answers: number): boolean {
  if (dialogue.at(-1)?.role !== 'assistant') return false;
  const request = textOf(dialogue[0]?.content ?? []);
  const conversation = conversations.find((it) => fits(it.match, request));
  if (!conversation) return false;
  const last = turnAt(conversation, answers - 1 - countRepeats(dialogue, conversation.repeatOn));
  return last?.answer.stop_reason === 'pause_turn';
}

function turnAt({ turns, cycle }: Conversation, number: number): Turn | undefined {
  return turns[cycle ? (number - 1) % turns.length : number - 1];
}

/** The conversations of the agent that sends the request. Its tools show which agent it is. */
export function conversationsFor(tools: string[], all: Conversation[]): Conversation[] {
  return tools.includes('report_findings')
    ? [...all.filter(isReviewers), nothingFound]
    : all.filter((it) => !isReviewers(it));
}

const isReviewers = ({ agent }: Conversation) => agent === 'reviewer';

const nothingFound: Conversation = {
  name: 'a review that finds nothing',
  agent: 'reviewer',
  turns: [{ answer: { content: [{ type: 'tool_use', name: 'report_findings', input: { findings: [] } }] } }],
};

/** How many tool results make the model repeat its answer. */
function countRepeats(dialogue: Dialogue, repeatOn: string | undefined): number {
  if (repeatOn === undefined) return 0;
  return dialogue.filter(({ content }) => resultTexts(content).some((text) => text.includes(repeatOn)))
    .length;
}

function fits(match: Conversation['match'], request: string): boolean {
  if (match === undefined) return true;
  return typeof match === 'string' ? request.includes(match) : new RegExp(match.pattern).test(request);
}

function noneFits(conversations: Conversation[], request: string): string {
  const names = conversations.map((it) => it.name).join(', ');
  return `no conversation (of: ${names}) matches the first user message ${JSON.stringify(request.slice(0, 300))}`;
}
