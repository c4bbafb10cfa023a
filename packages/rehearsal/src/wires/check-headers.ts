import type { IncomingHttpHeaders } from 'node:http';
import { type ApiError, apiError } from './api-error.ts';

export function checkHeaders(headers: IncomingHttpHeaders, apiKey: string | undefined): ApiError | undefined {
  const bearer = headers.authorization?.match(/^Bearer (.+)$/i)?.[1];
  const given = bearer ?? headers['x-api-key'];
  if (!given) return apiError(401, 'x-api-key header is required');
  if (apiKey !== undefined && given !== apiKey) return apiError(401, 'invalid x-api-key');
  if (!headers['anthropic-version']) return apiError(400, 'anthropic-version: header is required');
  return undefined;
}
