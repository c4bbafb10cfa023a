/** The chat completions API of OpenAI and compatible servers. */
import type { IncomingHttpHeaders } from 'node:http';
import { type ApiError, apiError, streamError } from './api-error.ts';
import { chatEvents, chatJson, chatTextEvent, openChatEvents } from './chat-body.ts';
import { readChat } from './chat-request.ts';
import type { Wire } from './wire.ts';

export const chatWire: Wire = {
  checkHeaders: checkBearer,
  read: readChat,
  errorBody,
  overflow: {
    ...apiError(
      400,
      "This model's maximum context length is 400000 tokens. However, your messages are longer.",
    ),
    code: 'context_length_exceeded',
  },
  answerJson: chatJson,
  answerEvents: chatEvents,
  openEvents: openChatEvents,
  endlessEvent: chatTextEvent('and so on, '.repeat(100)),
  errorEvent: (type) => `data: ${errorBody(streamError(type))}\n\n`,
};

function checkBearer(
  { authorization }: IncomingHttpHeaders,
  apiKey: string | undefined,
): ApiError | undefined {
  const given = authorization?.match(/^Bearer (.+)$/i)?.[1];
  if (!given) return apiError(401, "You didn't provide an API key.");
  if (apiKey !== undefined && given !== apiKey) return apiError(401, 'Incorrect API key provided.');
  return undefined;
}

function errorBody({ type, message, code }: Pick<ApiError, 'type' | 'message' | 'code'>): string {
  return JSON.stringify({ error: { message, type, param: null, code: code ?? null } });
}
