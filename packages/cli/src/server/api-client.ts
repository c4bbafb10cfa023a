import {
  type Allowance,
  type AllowanceInput,
  allowanceListSchema,
  allowanceSchema,
  type DenialReport,
  denialReportSchema,
  type ErrorCode,
  errorBodySchema,
  errorTable,
  type GithubStatus,
  githubStatusSchema,
  type Message,
  messageListSchema,
  messageSchema,
  type Operation,
  type OperationDetail,
  type OperationList,
  operationDetailSchema,
  operationListSchema,
  operationSchema,
  type PartDiff,
  type PlanDecision,
  type PlanStatus,
  type PullRequestRef,
  partDiffSchema,
  planStatusSchema,
  type RequestInput,
} from '@fettle/contract';
import { z } from 'zod';
import { CliError, type ExitCode, exitCodes, usageError } from '../cli-error.ts';

const timeoutMs = 30_000;

/** The fields of a pull request that the CLI shows. */
const pullRequestSchema = z.object({
  state: z.string(),
  body: z.string(),
  baseBranch: z.string(),
  stat: z.object({ files: z.int(), added: z.int(), deleted: z.int() }),
  diff: z.string(),
});
export type PullRequest = z.infer<typeof pullRequestSchema>;

export interface Server {
  url: string;
  token: string;
}

export type ApiClient = ReturnType<typeof createApiClient>;

export function createApiClient(server: Server) {
  const call = (path: string, init: RequestInit = {}) => request(server, path, init);
  const operation = (id: string) => {
    if (!/^[\w-]+$/.test(id)) throw usageError(`'${id}' is not an operation id.`);
    return `/v1/operations/${id}`;
  };
  return {
    server,
    async create(input: RequestInput, idempotencyKey?: string): Promise<Operation> {
      return operationSchema.parse(await call('/v1/operations', asJson(input, idempotencyKey)));
    },
    async get(id: string): Promise<OperationDetail> {
      return operationDetailSchema.parse(await call(operation(id)));
    },
    async list(filter: Record<string, string>): Promise<OperationList> {
      return operationListSchema.parse(await call(`/v1/operations?${new URLSearchParams(filter)}`));
    },
    async cancel(id: string): Promise<Operation> {
      return operationSchema.parse(await call(`${operation(id)}/cancel`, { method: 'POST' }));
    },
    async pause(id: string): Promise<Operation> {
      return operationSchema.parse(await call(`${operation(id)}/pause`, { method: 'POST' }));
    },
    async resume(id: string): Promise<Operation> {
      return operationSchema.parse(await call(`${operation(id)}/resume`, { method: 'POST' }));
    },
    async say(id: string, text: string, idempotencyKey?: string): Promise<Message> {
      return messageSchema.parse(await call(`${operation(id)}/messages`, asJson({ text }, idempotencyKey)));
    },
    async requestChanges(id: string, message: string, idempotencyKey?: string): Promise<Operation> {
      const answer = await call(`${operation(id)}/request-changes`, asJson({ message }, idempotencyKey));
      return operationSchema.parse(answer);
    },
    async partDiff(id: string, part: string): Promise<PartDiff> {
      return partDiffSchema.parse(await call(`${operation(id)}/parts/${part}/diff`));
    },
    async messages(id: string): Promise<Message[]> {
      return messageListSchema.parse(await call(`${operation(id)}/messages`)).messages;
    },
    async plan(id: string): Promise<PlanStatus> {
      return planStatusSchema.parse(await call(`${operation(id)}/plan`));
    },
    async decide(id: string, decision: PlanDecision): Promise<Operation> {
      return operationSchema.parse(await call(`${operation(id)}/plan`, asJson(decision)));
    },
    async denials(query: Record<string, string>): Promise<DenialReport> {
      return denialReportSchema.parse(await call(`/v1/policy/denials?${new URLSearchParams(query)}`));
    },
    async allowSecret(input: AllowanceInput): Promise<Allowance> {
      return allowanceSchema.parse(await call('/v1/secrets/allowed', asJson(input)));
    },
    async allowedSecrets(): Promise<Allowance[]> {
      return allowanceListSchema.parse(await call('/v1/secrets/allowed')).allowed;
    },
    async disallowSecret(fingerprint: string, repository?: string): Promise<void> {
      const query = repository === undefined ? '' : `?${new URLSearchParams({ repository })}`;
      await call(`/v1/secrets/allowed/${encodeURIComponent(fingerprint)}${query}`, { method: 'DELETE' });
    },
    /** The address in the outcome may be a page on GitHub, which must not get the token of this server. */
    async pullRequest(operationId: string, { url }: PullRequestRef): Promise<PullRequest> {
      const path = url.startsWith('/v1/') ? url : `/v1/pull-requests/${operationId}`;
      return pullRequestSchema.parse(await call(path));
    },
    async github(): Promise<GithubStatus> {
      return githubStatusSchema.parse(await call('/v1/github'));
    },
  };
}

function asJson(input: unknown, idempotencyKey?: string): RequestInit {
  const headers = {
    'content-type': 'application/json',
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  };
  return { method: 'POST', headers, body: JSON.stringify(input) };
}

async function request({ url, token }: Server, path: string, init: RequestInit): Promise<unknown> {
  const headers = { ...init.headers, authorization: `Bearer ${token}` };
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(new URL(path, url), { ...init, headers, signal });
    if (!response.ok) throw await readFailure(response);
    return response.status === 204 ? undefined : await response.json();
  } catch (error) {
    throw error instanceof CliError ? error : unreachable(url, error);
  }
}

export function unreachable(url: string, error: unknown): CliError {
  const { cause, message } = error as { cause?: { code?: string }; message: string };
  return new CliError(
    'server_unreachable',
    `the server at ${url} does not answer (${cause?.code ?? message})`,
    {
      exitCode: exitCodes.unavailable,
      advice: "Start it with 'fettle up', or correct FETTLE_URL.",
    },
  );
}

export async function readFailure(response: Response): Promise<CliError> {
  const text = await response.text();
  const body = errorBodySchema.safeParse(parseJson(text));
  if (body.success) {
    const { code, message, advice } = body.data.error;
    return new CliError(code, message, { exitCode: exitCodeOf(code), advice });
  }
  return new CliError('server_unreachable', `${response.url} answered with status ${response.status}`, {
    exitCode: exitCodes.unavailable,
    advice: 'Check that FETTLE_URL is the address of a Fettle server.',
  });
}

function exitCodeOf(code: ErrorCode): ExitCode {
  const { status } = errorTable[code];
  if (status === 401 || status === 403) return exitCodes.denied;
  if (status === 429 || status === 503) return exitCodes.unavailable;
  const wrongInput = [400, 413, 415, 422].includes(status) || code === 'repository_not_found';
  return wrongInput ? exitCodes.usage : exitCodes.failed;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
