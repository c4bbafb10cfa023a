/** The worker's client for `/internal/v1`. All requests are idempotent, so every one of them can be retried. */
import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs } from '@fettle/backoff';
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
import type { Log } from '@fettle/log';
import type { Redaction } from '@fettle/secrets';

export type ApiClient = ReturnType<typeof createApiClient>;

const requestTimeoutMs = 30_000;
const heartbeatTimeoutMs = 5_000;
const backoff = { firstMs: 100, longestMs: 3_000 };
/** How long to retry while the api is unreachable. */
export const apiTimeoutMs = 15 * 60_000;
/** How long to retry after an internal error, which may be a bug that no retry fixes. */
const defaultInternalErrorTimeoutMs = 30_000;

interface Call {
  method?: 'GET' | 'POST' | 'PUT';
  /** Sent as JSON, unless it is bytes. */
  body?: unknown;
  signal?: AbortSignal | undefined;
  /** Checked after each failed request: true ends the retries. */
  shouldGiveUp?(): boolean;
}

type Claimant = { worker: string; key: string };
type StoredCheckpoint = { fence: number; commit: string; bytes: Buffer };
type GitTokenInput = { fence: number; refused: string | undefined };
type Unread = { fence: number; after: number };

const bytesType = 'application/octet-stream';
const isBytes = (body: unknown): body is Buffer => Buffer.isBuffer(body);

export interface ApiClientOptions {
  /** Removes secrets from everything that is sent. */
  redact: Redaction['value'];
  apiUrl: string;
  workerKey: string;
  internalErrorTimeoutMs?: number;
  log?: Pick<Log, 'warn'>;
}

export function createApiClient({
  apiUrl,
  workerKey,
  redact,
  log,
  internalErrorTimeoutMs = defaultInternalErrorTimeoutMs,
}: ApiClientOptions) {
  const urlOf = (id: string, action: string) =>
    `${apiUrl}/internal/v1/operations/${encodeURIComponent(id)}/${action}`;

  async function send(url: string, { method = 'POST', body, signal }: Call, timeoutMs: number) {
    const timeout = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${workerKey}`,
        ...(body !== undefined && { 'content-type': isBytes(body) ? bytesType : 'application/json' }),
      },
      ...(body !== undefined && { body: isBytes(body) ? body : JSON.stringify(body) }),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    if (response.status === 204) return undefined;
    if (response.headers.get('content-type') === bytesType) return Buffer.from(await response.arrayBuffer());
    const answer: unknown = await response.json();
    if (response.ok) return answer;
    const { error } = errorBodySchema.parse(answer);
    throw new FettleError(error.code, error.message, error.field, error.afterMs);
  }

  async function request(url: string, call: Call): Promise<unknown> {
    const startedAt = performance.now();
    for (let retries = 0; ; retries++) {
      try {
        return await send(url, call, requestTimeoutMs);
      } catch (error) {
        call.signal?.throwIfAborted();
        if (call.shouldGiveUp?.()) throw error;
        if (performance.now() - startedAt > retryTimeoutMs(error, internalErrorTimeoutMs)) throw error;
        // Once for each request: it may be retried for minutes.
        if (retries === 0)
          log?.warn({ url, why: String(error) }, 'a request to the api failed, and is retried');
        await delay(backoffMs(retries, backoff), undefined, call.signal ? { signal: call.signal } : {});
      }
    }
  }

  const get = (id: string, action: string, signal?: AbortSignal) =>
    request(urlOf(id, action), { method: 'GET', signal });
  const post = (id: string, action: string, body: unknown, signal?: AbortSignal) =>
    request(urlOf(id, action), { body: redact(body), signal });

  return {
    async claim(id: string, input: Claimant, shouldGiveUp: () => boolean): Promise<Claim> {
      return claimSchema.parse(await request(urlOf(id, 'claim'), { body: redact(input), shouldGiveUp }));
    },
    /** Not retried: the next heartbeat follows soon. */
    async heartbeat(id: string, fence: number, totals: Totals): Promise<Heartbeat> {
      const answer = await send(urlOf(id, 'heartbeat'), { body: { fence, totals } }, heartbeatTimeoutMs);
      return heartbeatSchema.parse(answer);
    },
    async readRecord(id: string, fence: number, signal: AbortSignal): Promise<Event[]> {
      const events: Event[] = [];
      for (;;) {
        const after = events.at(-1)?.position ?? 0;
        const page = await get(id, `record?fence=${fence}&after=${after}`, signal);
        const { events: more, more: isMore } = recordPageSchema.parse(page);
        events.push(...more);
        if (!isMore) return events;
      }
    },
    async readMessages(id: string, { fence, after }: Unread, signal: AbortSignal): Promise<Said[]> {
      const page = await get(id, `messages?fence=${fence}&after=${after}`, signal);
      return saidListSchema.parse(page).messages;
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
    async gitToken(id: string, input: GitTokenInput, signal: AbortSignal): Promise<string | undefined> {
      // Not redacted: the api has to recognise the refused token.
      return gitTokenSchema.parse(await request(urlOf(id, 'git-token'), { body: input, signal })).token;
    },
    async allowances(id: string, fence: number, signal: AbortSignal): Promise<Allowance[]> {
      return allowanceListSchema.parse(await get(id, `allowed-secrets?fence=${fence}`, signal)).allowed;
    },
    async leftovers(id: string): Promise<Leftovers> {
      return leftoversSchema.parse(await get(id, 'leftovers'));
    },
    async reportCleanUp(id: string, input: CleanUpInput): Promise<void> {
      await post(id, 'clean-up', input);
    },
    async settle(id: string, input: SettleInput): Promise<void> {
      await post(id, 'settle', input);
    },
    /** Never redacted: a checkpoint is the repository's own content. */
    async putCheckpoint(id: string, { fence, commit, bytes }: StoredCheckpoint, signal: AbortSignal) {
      await request(urlOf(id, `checkpoints/${commit}?fence=${fence}`), {
        method: 'PUT',
        body: bytes,
        signal,
      });
    },
    async getCheckpoint(id: string, { fence, commit }: Omit<StoredCheckpoint, 'bytes'>, signal: AbortSignal) {
      const answer = await get(id, `checkpoints/${commit}?fence=${fence}`, signal).catch((error: unknown) => {
        if (error instanceof FettleError && error.code === 'not_found') return undefined;
        throw error;
      });
      return isBytes(answer) ? answer : undefined;
    },
    async release(id: string, input: ReleaseInput): Promise<void> {
      await post(id, 'release', input);
    },
  };
}

function retryTimeoutMs(error: unknown, internalErrorTimeoutMs: number): number {
  if (!(error instanceof FettleError)) return apiTimeoutMs;
  if (error.code === 'unavailable') return apiTimeoutMs;
  return error.code === 'internal' ? internalErrorTimeoutMs : 0;
}
