/** The worker's side of `/internal/v1`. */
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Claim,
  claimSchema,
  errorBodySchema,
  FettleError,
  heartbeatSchema,
  type ProposalInput,
  type PullRequestRef,
  proposalSchema,
  type SettleInput,
  type State,
  type Totals,
  type TransitionInput,
} from '@fettle/contract';

export type ApiClient = ReturnType<typeof createApiClient>;

const requestLimitMs = 30_000;
const connectTries = 20;

export function createApiClient({ apiUrl, workerKey }: { apiUrl: string; workerKey: string }) {
  async function post(id: string, action: string, body: unknown): Promise<unknown> {
    const response = await connect(`${apiUrl}/internal/v1/operations/${encodeURIComponent(id)}/${action}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${workerKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(requestLimitMs),
    });
    if (response.status === 204) return undefined;
    const answer: unknown = await response.json();
    if (response.ok) return answer;
    const { error } = errorBodySchema.parse(answer);
    throw new FettleError(error.code, error.message, error.field);
  }

  return {
    async claim(id: string, worker: string): Promise<Claim> {
      return claimSchema.parse(await post(id, 'claim', { worker }));
    },
    async heartbeat(id: string, fence: number, totals: Totals): Promise<State> {
      return heartbeatSchema.parse(await post(id, 'heartbeat', { fence, totals })).state;
    },
    async transition(id: string, input: TransitionInput): Promise<void> {
      await post(id, 'transition', input);
    },
    async propose(id: string, input: ProposalInput): Promise<PullRequestRef> {
      return proposalSchema.parse(await post(id, 'proposal', input)).pullRequest;
    },
    async settle(id: string, input: SettleInput): Promise<void> {
      await post(id, 'settle', input);
    },
  };
}

/** Tries again only while nobody listens: such a request was certainly not carried out. */
async function connect(url: string, init: RequestInit): Promise<Response> {
  for (let tries = 1; ; tries++) {
    try {
      return await fetch(url, init);
    } catch (error) {
      const cause = (error as { cause?: { code?: string } }).cause;
      if (cause?.code !== 'ECONNREFUSED' || tries === connectTries) throw error;
      await delay(Math.min(50 * 2 ** tries, 2_000));
    }
  }
}
