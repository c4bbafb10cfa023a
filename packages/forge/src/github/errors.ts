/** What an error of GitHub means for an operation: it waits, or it ends with a reason. */
import { FettleError } from '@fettle/contract';
import { RequestError } from '@octokit/request-error';
import { z } from 'zod';

/** What GitHub advises if it names no time. */
const defaultPauseMs = 60_000;
const maxPauseMs = 60 * 60_000;
const maxMessage = 500;

export function forgeUnavailable(message: string, afterMs?: number): FettleError {
  return new FettleError('forge_unavailable', message, undefined, afterMs && Math.ceil(afterMs));
}

export function forgeRefused(message: string): FettleError {
  return new FettleError('forge_refused', message);
}

/** How long GitHub asks to wait. Undefined if the error is no rate limit. */
export function readRateLimit(error: unknown): number | undefined {
  if (!(error instanceof RequestError) || (error.status !== 403 && error.status !== 429)) return undefined;
  const headers = error.response?.headers ?? {};
  const after = Number(headers['retry-after']);
  if (Number.isFinite(after) && after > 0) return Math.min(after * 1000, maxPauseMs);
  if (headers['x-ratelimit-remaining'] === '0') {
    const resetMs = Number(headers['x-ratelimit-reset']) * 1000 - Date.now();
    return Math.min(Math.max(resetMs || defaultPauseMs, 1_000), maxPauseMs);
  }
  return error.status === 429 || /secondary rate/i.test(error.message) ? defaultPauseMs : undefined;
}

/** Turns an error of a request into one that the worker understands. `what` completes "GitHub refused …". */
export function toForgeError(error: unknown, what: string): unknown {
  if (!(error instanceof RequestError)) return isTimeout(error) ? forgeUnavailable(isSlow) : error;
  const afterMs = readRateLimit(error);
  if (afterMs !== undefined) {
    const end = new Date(Date.now() + afterMs).toISOString();
    return forgeUnavailable(`GitHub limits the number of requests until ${end}`, afterMs);
  }
  const { status } = error;
  if (status >= 500 || status === 408) return forgeUnavailable(describeOutage(error));
  return forgeRefused(`GitHub refused ${what}: ${explain(error)}`);
}

const isSlow = 'GitHub did not answer in time';
const isTimeout = (error: unknown) => ['TimeoutError', 'AbortError'].includes((error as Error).name);

/** Octokit reports a failed connection as status 500 without a response. */
function describeOutage({ status, response, cause }: RequestError): string {
  if (response) return `GitHub answers with status ${status}`;
  return isTimeout(cause) ? isSlow : 'GitHub cannot be reached';
}

const detailsSchema = z.object({
  errors: z.array(z.union([z.string(), z.object({ message: z.string().optional() })])).default([]),
});

/** The messages of GitHub name what is wrong with a request, and never its token. */
function explain(error: RequestError): string {
  const { errors } = detailsSchema.catch({ errors: [] }).parse(error.response?.data ?? {});
  const details = errors.flatMap((each) => (typeof each === 'string' ? each : (each.message ?? [])));
  // Octokit adds the address of the documentation.
  const [sentence = ''] = error.message.split(' - https://');
  const needs = error.response?.headers['x-accepted-github-permissions'];
  const missing = error.status === 403 && needs ? ` It needs the permission ${needs}.` : '';
  const more = details.filter((each) => !sentence.includes(each)).join('; ');
  return `${status(error)}${sentence}${more && `: ${more}`}${missing}`.slice(0, maxMessage);
}

const status = ({ status: code }: RequestError) => `${code} `;

export function isStatus(error: unknown, ...statuses: number[]): error is RequestError {
  return error instanceof RequestError && statuses.includes(error.status);
}
