/** The worker's side of `/internal/v1`. Every request can be made again: what was done already is not done twice. */
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Allowance,
  allowanceListSchema,
  type Claim,
  type CleanUpInput,
  claimSchema,
  type Event,
  errorBodySchema,
  FettleError,
  gitTokenSchema,
  type Heartbeat,
  heartbeatSchema,
  type Leftovers,
  leftoversSchema,
  type PlanInput,
  type ProposalInput,
  type PullRequestRef,
  proposalSchema,
  type ReleaseInput,
  recordPageSchema,
  type Said,
  type SettleInput,
  saidListSchema,
  type Totals,
  type TransitionInput,
} from '@fettle/contract';
import type { Redaction } from '@fettle/secrets';

export type ApiClient = ReturnType<typeof createApiClient>;

const requestLimitMs = 30_000;
const heartbeatLimitMs = 5_000;
const longestPauseMs = 3_000;
/** How long an api that is away is waited for. */
export const apiPatienceMs = 15 * 60_000;
/** An answer of 500 may be a bug, which waiting does not mend. */
const defaultBugPatienceMs = 30_000;

interface Call {
  method?: 'GET' | 'POST';
  body?: unknown;
  signal?: AbortSignal | undefined;
  /** Asked after each try that failed: whether it was the last. What is under way is answered first. */
  isEnough?(): boolean;
}

export interface ApiClientOptions {
  /** Takes secrets out of all that is sent. */
  redact: Redaction['value'];
  apiUrl: string;
  workerKey: string;
  bugPatienceMs?: number;
}

export function createApiClient({
  apiUrl,
  workerKey,
  redact,
  bugPatienceMs = defaultBugPatienceMs,
}: ApiClientOptions) {
  const place = (id: string, action: string) =>
    `${apiUrl}/internal/v1/operations/${encodeURIComponent(id)}/${action}`;

  async function askOnce(url: string, { method = 'POST', body, signal }: Call, limitMs: number) {
    const limit = AbortSignal.timeout(limitMs);
    const response = await fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${workerKey}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
    if (response.status === 204) return undefined;
    const answer: unknown = await response.json();
    if (response.ok) return answer;
    const { error } = errorBodySchema.parse(answer);
    throw new FettleError(error.code, error.message, error.field, error.afterMs);
  }

  async function ask(url: string, call: Call): Promise<unknown> {
    const startedAt = performance.now();
    for (let tries = 1; ; tries++) {
      try {
        return await askOnce(url, call, requestLimitMs);
      } catch (error) {
        call.signal?.throwIfAborted();
        if (call.isEnough?.()) throw error;
        if (performance.now() - startedAt > patienceFor(error, bugPatienceMs)) throw error;
        const pauseMs = Math.min(50 * 2 ** tries, longestPauseMs) * (0.5 + Math.random() / 2);
        await delay(pauseMs, undefined, call.signal ? { signal: call.signal } : {});
      }
    }
  }

  const post = (id: string, action: string, body: unknown, signal?: AbortSignal) =>
    ask(place(id, action), { body: redact(body), signal });

  return {
    async claim(id: string, input: { worker: string; key: string }, isEnough: () => boolean): Promise<Claim> {
      return claimSchema.parse(await ask(place(id, 'claim'), { body: redact(input), isEnough }));
    },
    /** Tried once: the next one comes soon. */
    async heartbeat(id: string, fence: number, totals: Totals): Promise<Heartbeat> {
      const answer = await askOnce(place(id, 'heartbeat'), { body: { fence, totals } }, heartbeatLimitMs);
      return heartbeatSchema.parse(answer);
    },
    async readRecord(id: string, fence: number, signal: AbortSignal): Promise<Event[]> {
      const events: Event[] = [];
      for (;;) {
        const query = `fence=${fence}&after=${events.at(-1)?.position ?? 0}`;
        const page = await ask(`${place(id, 'record')}?${query}`, { method: 'GET', signal });
        const { events: more, more: isMore } = recordPageSchema.parse(page);
        events.push(...more);
        if (!isMore) return events;
      }
    },
    async readMessages(
      id: string,
      { fence, after }: { fence: number; after: number },
      signal: AbortSignal,
    ): Promise<Said[]> {
      const url = `${place(id, 'messages')}?fence=${fence}&after=${after}`;
      return saidListSchema.parse(await ask(url, { method: 'GET', signal })).messages;
    },
    async proposePlan(id: string, input: PlanInput): Promise<void> {
      await post(id, 'plan', input);
    },
    async transition(id: string, input: TransitionInput, signal: AbortSignal): Promise<void> {
      await post(id, 'transition', input, signal);
    },
    async propose(id: string, input: ProposalInput, signal: AbortSignal): Promise<PullRequestRef> {
      return proposalSchema.parse(await post(id, 'proposal', input, signal)).pullRequest;
    },
    async gitToken(id: string, fence: number, signal: AbortSignal): Promise<string | undefined> {
      return gitTokenSchema.parse(await post(id, 'git-token', { fence }, signal)).token;
    },
    async allowances(id: string, fence: number, signal: AbortSignal): Promise<Allowance[]> {
      const answer = await ask(`${place(id, 'allowed-secrets')}?fence=${fence}`, { method: 'GET', signal });
      return allowanceListSchema.parse(answer).allowed;
    },
    async leftovers(id: string): Promise<Leftovers> {
      return leftoversSchema.parse(await ask(place(id, 'leftovers'), { method: 'GET' }));
    },
    async reportCleanUp(id: string, input: CleanUpInput): Promise<void> {
      await post(id, 'clean-up', input);
    },
    async settle(id: string, input: SettleInput): Promise<void> {
      await post(id, 'settle', input);
    },
    async release(id: string, input: ReleaseInput): Promise<void> {
      await post(id, 'release', input);
    },
  };
}

function patienceFor(error: unknown, bugPatienceMs: number): number {
  if (!(error instanceof FettleError)) return apiPatienceMs;
  if (error.code === 'unavailable') return apiPatienceMs;
  return error.code === 'internal' ? bugPatienceMs : 0;
}
