// From the body of a request to what will be sent; nothing is sent here.
import { type ApiError, apiError } from './api-error.ts';
import { checkRequest } from './check-request.ts';
import { chooseTurn } from './choose-turn.ts';
import { type ComposedMessage, composeMessage } from './compose-message.ts';
import type { Conversation, Fault } from './conversation.ts';
import { mergeMessages } from './dialogue.ts';
import type { FaultQueue } from './fault-queue.ts';
import type { Failure } from './journal.ts';
import type { PromptCache } from './prompt-cache.ts';
import { parseRequest, requestSchema } from './request.ts';

export type Decision =
  | { kind: 'refuse'; error: ApiError }
  | { kind: 'fail'; error: ApiError; failure: Failure }
  | { kind: 'reject'; error: ApiError; conversation: string; turn: number }
  | {
      kind: 'play';
      message: ComposedMessage;
      fault: Exclude<Fault, { status: number }> | undefined;
      stream: boolean;
      conversation: string;
      turn: number;
    };

export type Memory = { conversations: Conversation[]; faults: FaultQueue; cache: PromptCache };

export function decide({ conversations, faults, cache }: Memory, body: unknown): Decision {
  const parsed = parseRequest(requestSchema, body);
  if (!parsed.ok) return { kind: 'refuse', error: apiError(400, parsed.reason) };
  const { request } = parsed;
  const dialogue = mergeMessages(request.messages);
  const broken = checkRequest(request, dialogue);
  if (broken) return { kind: 'refuse', error: apiError(400, broken) };

  const choice = chooseTurn(
    conversations,
    dialogue,
    (request.tools ?? []).map(({ name }) => name),
  );
  if (!choice.ok) return failed(choice, request.messages.slice(-2));
  const { turn, number } = choice;
  const place = { conversation: choice.conversation.name, turn: number };
  const fault = faults.next(choice.conversation, turn, number);
  if (fault && 'status' in fault) {
    const error = { ...apiError(fault.status), retryAfterSeconds: fault.retryAfterSeconds };
    return { kind: 'reject', error, ...place };
  }
  const model = choice.conversation.model ?? request.model;
  const { answers } = choice;
  const message = composeMessage(turn.answer, { ...place, answers, model, input: cache.use(request) });
  return { kind: 'play', message, fault, stream: request.stream ?? false, ...place };
}

function failed(
  { conversation, number, reason }: { conversation: string | null; number: number; reason: string },
  lastMessages: unknown[],
): Decision {
  const message = `rehearsal ${conversation ?? '(none)'}, turn ${number}: ${reason}`;
  const error = { status: 400, type: 'rehearsal_error', message };
  return { kind: 'fail', error, failure: { conversation, turn: number, reason, lastMessages } };
}
