/** Decides how to answer the body of a request. Sends nothing. */
import type { Failure } from '../journal.ts';
import type { Conversation, Fault, Turn } from '../record/conversation.ts';
import { quoteSeen } from '../record/seen-text.ts';
import { checkRequest } from '../request/check-request.ts';
import { countAnswers, mergeMessages } from '../request/dialogue.ts';
import type { PlayRequest } from '../request/request.ts';
import { type ApiError, apiError } from '../wires/api-error.ts';
import type { Wire } from '../wires/wire.ts';
import { chooseTurn, conversationsFor, endsPaused } from './choose-turn.ts';
import { type ComposedMessage, composeMessage } from './compose-message.ts';
import type { PromptCache } from './prompt-cache.ts';

export type Decision =
  | { kind: 'refuse'; error: ApiError }
  | { kind: 'fail'; error: ApiError; failure: Failure }
  | { kind: 'reject'; error: ApiError; conversation: string; turn: number }
  | {
      kind: 'play';
      message: ComposedMessage;
      fault: PlayedFault | undefined;
      request: PlayRequest;
      conversation: string;
      turn: number;
    };

/** A fault of an answer that has started, or should have started. */
export type PlayedFault = Exclude<Fault, { status: number } | { overflow: true }>;

export type Memory = { conversations: Conversation[]; faults: FaultQueue; cache: PromptCache };

export function decide({ faults, cache, ...memory }: Memory, wire: Wire, body: unknown): Decision {
  const parsed = wire.read(body);
  if (!parsed.ok) return { kind: 'refuse', error: apiError(400, parsed.reason) };
  const { request } = parsed;
  const dialogue = mergeMessages(request.messages);
  const answers = countAnswers(request.messages) + 1;
  const tools = (request.tools ?? []).map(({ name }) => name);
  const conversations = conversationsFor(tools, memory.conversations);
  const paused = endsPaused(conversations, dialogue, answers);
  const broken = checkRequest(request, dialogue, paused);
  if (broken) return { kind: 'refuse', error: apiError(400, broken) };

  const choice = chooseTurn(conversations, dialogue, answers);
  if (!choice.ok) return failed(choice, request.messages.slice(-2));
  const { turn, number } = choice;
  const place = { conversation: choice.conversation.name, turn: number };
  const fault = faults.next(choice.conversation, turn, number);
  if (fault && 'overflow' in fault) return { kind: 'reject', error: wire.overflow, ...place };
  if (fault && 'status' in fault) {
    const error = { ...apiError(fault.status), retryAfterSeconds: fault.retryAfterSeconds };
    return { kind: 'reject', error, ...place };
  }
  const model = choice.conversation.model ?? request.model;
  const answer = quoteSeen(turn.answer, dialogue);
  if (!answer.ok)
    return failed(
      { conversation: place.conversation, number, reason: answer.reason },
      request.messages.slice(-2),
    );
  const message = composeMessage(answer.value, { ...place, answers, model, input: cache.use(request) });
  return { kind: 'play', message, fault, request, ...place };
}

function failed(
  { conversation, number, reason }: { conversation: string | null; number: number; reason: string },
  lastMessages: unknown[],
): Decision {
  const message = `rehearsal ${conversation ?? '(none)'}, turn ${number}: ${reason}`;
  const error = { status: 400, type: 'rehearsal_error', message };
  return { kind: 'fail', error, failure: { conversation, turn: number, reason, lastMessages } };
}

type FaultQueue = { next(conversation: Conversation, turn: Turn, number: number): Fault | undefined };

/** Each request for a turn uses up one of its faults, and then the answer is sent. A turn has no other state. */
export function createFaultQueue(): FaultQueue {
  const used = new Map<string, number>();
  return {
    next(conversation, turn, number) {
      const key = JSON.stringify([conversation.name, number]);
      const count = used.get(key) ?? 0;
      const fault = turn.faults?.[count];
      if (fault) used.set(key, count + 1);
      return fault;
    },
  };
}
