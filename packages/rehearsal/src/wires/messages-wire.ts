// The Messages API.

import { parseRequest, requestSchema } from '../request/request.ts';
import { type ApiError, apiError, streamError } from './api-error.ts';
import { checkHeaders } from './check-headers.ts';
import { messageEvents, messageJson, openTextEvents, textDelta } from './message-body.ts';
import type { Wire } from './wire.ts';

export const messagesWire: Wire = {
  checkHeaders,
  read: (body) => parseRequest(requestSchema, body),
  errorBody,
  overflow: apiError(400, 'prompt is too long: 1000001 tokens > 1000000 maximum'),
  answerJson: messageJson,
  answerEvents: messageEvents,
  openEvents: openTextEvents,
  endlessEvent: textDelta('and so on, '.repeat(100)),
  errorEvent: (type, requestId) => `event: error\ndata: ${errorBody(streamError(type), requestId)}\n\n`,
};

function errorBody({ type, message }: Pick<ApiError, 'type' | 'message'>, requestId: string): string {
  return JSON.stringify({ type: 'error', error: { type, message }, request_id: requestId });
}
