/** The Messages API. */
import type { IncomingHttpHeaders } from 'node:http';
import { parseRequest, requestSchema } from '../request/request.ts';
import { type ApiError, apiError, streamError } from './api-error.ts';
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

function checkHeaders(headers: IncomingHttpHeaders, apiKey: string | undefined): ApiError | undefined {
  const bearer = headers.authorization?.match(/^Bearer (.+)$/i)?.[1];
  const given = bearer ?? headers['x-api-key'];
  if (!given) return apiError(401, 'x-api-key header is required');
  if (apiKey !== undefined && given !== apiKey) return apiError(401, 'invalid x-api-key');
  if (!headers['anthropic-version']) return apiError(400, 'anthropic-version: header is required');
  return undefined;
}
