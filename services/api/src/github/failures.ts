/** Tells failures that pass, such as an outage of GitHub, from failures that stay. */
import { FettleError } from '@fettle/contract';
import { isDatabaseAway } from '@fettle/database';

export type Failure = { passes: true; afterMs: number | undefined } | { passes: false };

const passingCodes: readonly string[] = ['unavailable', 'forge_unavailable', 'too_many_requests'];
const networkNames = ['TimeoutError', 'AbortError', 'TypeError'];

export function classifyFailure(error: unknown): Failure {
  if (error instanceof FettleError)
    return passingCodes.includes(error.code) ? { passes: true, afterMs: error.afterMs } : { passes: false };
  if (isDatabaseAway(error)) return { passes: true, afterMs: undefined };
  const status = statusOf(error);
  if (status === undefined)
    return isNetworkFailure(error) ? { passes: true, afterMs: undefined } : { passes: false };
  if (status >= 500 || status === 408) return { passes: true, afterMs: undefined };
  if (status === 429 || (status === 403 && isRateLimit(error)))
    return { passes: true, afterMs: readPause(error) };
  return { passes: false };
}

/** The status of a refused request to GitHub. */
export function statusOf(error: unknown): number | undefined {
  const { status } = (error ?? {}) as { status?: unknown };
  return error instanceof FettleError || typeof status !== 'number' ? undefined : status;
}

function isNetworkFailure(error: unknown): boolean {
  if (!(error instanceof Error) || !networkNames.includes(error.name)) return false;
  return error.name !== 'TypeError' || error.message === 'fetch failed';
}

interface RefusedRequest {
  message?: string;
  response?: { headers?: Record<string, string | number | undefined> };
}

function isRateLimit(error: unknown): boolean {
  const { message = '', response } = error as RefusedRequest;
  const { headers = {} } = response ?? {};
  return (
    String(headers['x-ratelimit-remaining']) === '0' ||
    headers['retry-after'] !== undefined ||
    /rate limit/i.test(message)
  );
}

function readPause(error: unknown): number | undefined {
  const { headers = {} } = (error as RefusedRequest).response ?? {};
  const after = Number(headers['retry-after']);
  if (after > 0) return after * 1000;
  const reset = Number(headers['x-ratelimit-reset']) * 1000 - Date.now();
  return reset > 0 ? reset : undefined;
}
