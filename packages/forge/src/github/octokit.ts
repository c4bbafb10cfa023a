/** The client for GitHub: one retry policy, one timeout, one API version for every request of Fettle. */
import { Octokit as Core } from '@octokit/core';
import { paginateRest } from '@octokit/plugin-paginate-rest';
import { retry } from '@octokit/plugin-retry';
import { throttling } from '@octokit/plugin-throttling';
import { forgeUnavailable, readRateLimit } from './errors.ts';

export interface ForgeLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

const requestTimeoutMs = 10_000;
/** GitHub keeps a version for two years after the next one. */
const apiVersion = '2022-11-28';
const maxRetries = 2;
/** The plugin would repeat refused merges (405, 409), and repeat at once when a limit is reached (429). */
const doNotRetry = [400, 401, 403, 404, 405, 409, 410, 422, 429, 451];

const Plugged = Core.plugin(paginateRest, retry, throttling);
export type GithubOctokit = InstanceType<typeof Plugged>;

const fail = () => false;
const plan = (account: string, pacing: boolean) => ({
  id: account,
  enabled: pacing,
  // A limit is reported, so that the operation waits in the queue and not in this process.
  onRateLimit: fail,
  onSecondaryRateLimit: fail,
});

export type OctokitOptions = NonNullable<ConstructorParameters<typeof Plugged>[0]>;

/** Returns the class that `@octokit/app` creates clients from, and a function for all other clients. */
export function createClients({ apiUrl, pacing }: { apiUrl: string; pacing: boolean }) {
  const limits = createRateLimitGate();
  const Configured = Plugged.defaults({
    baseUrl: apiUrl,
    userAgent: 'fettle',
    request: { fetch: fetchWithTimeout },
    retry: { doNotRetry, retries: maxRetries },
    throttle: plan('app', pacing),
    log: { debug() {}, info() {}, warn() {}, error() {} },
  });
  const Octokit = Configured.plugin((octokit, options) => {
    const account = (options.throttle as { id: string }).id;
    octokit.hook.wrap('request', async (request, endpoint) => {
      limits.assertFree(account);
      // Changed in place: the hooks further in get this object, whatever is passed on.
      endpoint.headers['x-github-api-version'] = apiVersion;
      // A write whose answer was lost may have happened. Its caller looks before it repeats it.
      const isRead = ['GET', 'HEAD'].includes(endpoint.method);
      endpoint.request = { ...endpoint.request, ...(!isRead && { retries: 0 }) };
      try {
        return await request(endpoint);
      } catch (error) {
        limits.note(account, error);
        throw error;
      }
    });
  });
  return {
    Octokit,
    /** Requests of one account share their pace and their rate limit. */
    create: (account: string, options: OctokitOptions): GithubOctokit =>
      new Octokit({ ...options, throttle: plan(account, pacing) }),
  };
}
export type GithubClients = ReturnType<typeof createClients>;

/** While GitHub limits an account, its requests fail here. GitHub punishes clients that go on. */
function createRateLimitGate() {
  const until = new Map<string, number>();
  return {
    assertFree(account: string): void {
      const end = until.get(account);
      if (end === undefined) return;
      const leftMs = end - Date.now();
      if (leftMs > 0) throw forgeUnavailable(describeLimit(end), leftMs);
      until.delete(account);
    },
    note(account: string, error: unknown): void {
      const afterMs = readRateLimit(error);
      if (afterMs !== undefined) until.set(account, Date.now() + afterMs);
    },
  };
}

const describeLimit = (end: number) =>
  `GitHub limits the number of requests until ${new Date(end).toISOString()}`;

async function fetchWithTimeout(url: string, init: RequestInit = {}): Promise<Response> {
  const timeout = AbortSignal.timeout(requestTimeoutMs);
  return fetch(url, { ...init, signal: init.signal ? AbortSignal.any([init.signal, timeout]) : timeout });
}
