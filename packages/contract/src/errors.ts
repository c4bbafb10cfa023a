import { z } from 'zod';
import { plainIssue } from './plain-issue.ts';

/** Every error of a caller or an operator, with its HTTP status and advice. */
export const errorTable = {
  bad_request: { status: 400, advice: 'Correct the named field and send the request again.' },
  unauthorized: { status: 401, advice: 'Send a valid token: Authorization: Bearer <token>.' },
  forbidden: { status: 403, advice: 'Use a token that has this permission.' },
  not_found: { status: 404, advice: 'Check the URL and the id.' },
  repository_not_found: {
    status: 404,
    advice: 'Use the path or the name of a git repository that the server can read.',
  },
  not_acceptable: { status: 406, advice: 'Send Accept: text/event-stream.' },
  conflict: { status: 409, advice: 'The state has changed; see `fettle show <id>`.' },
  idempotency_conflict: { status: 409, advice: 'Use a new Idempotency-Key for a different request.' },
  messages_pending: {
    status: 409,
    advice: 'Deliver the pending messages to the agent, then repeat the request.',
  },
  fenced: { status: 409, advice: 'Another worker owns this operation now. Stop working on it.' },
  too_large: {
    status: 413,
    advice: 'Send a smaller request: shorten logs and stack traces to the relevant lines.',
  },
  unsupported: { status: 415, advice: 'Send JSON with Content-Type: application/json.' },
  unsupported_repository: {
    status: 422,
    advice: 'Use a path, owner/name in FETTLE_REPOSITORIES, or the https URL of a host in FETTLE_GIT_HOSTS.',
  },
  not_for_this_kind: { status: 422, advice: 'Omit the named field, or request another kind.' },
  too_many_requests: { status: 429, advice: 'Wait for the time in the Retry-After header.' },
  internal: { status: 500, advice: 'This is a bug in Fettle. The log of the server has the details.' },
  forge_refused: {
    status: 422,
    advice: 'Correct what GitHub names: permissions of the App, access to the repository, or its rules.',
  },
  forge_unavailable: {
    status: 503,
    advice: 'GitHub is down, slow, or limits requests. Fettle tries again by itself.',
  },
  unavailable: {
    status: 503,
    advice: 'A service that Fettle needs is not available. Try again in a moment.',
  },
} as const;
export type ErrorCode = keyof typeof errorTable;

export const errorBodySchema = z.object({
  error: z.object({
    code: z.enum(Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]]),
    message: z.string(),
    advice: z.string(),
    field: z.string().optional(),
    afterMs: z.int().optional().describe('Milliseconds after which a retry can succeed'),
  }),
});
export type ErrorBody = z.infer<typeof errorBodySchema>;

export class FettleError extends Error {
  readonly code: ErrorCode;
  readonly field: string | undefined;

  readonly afterMs: number | undefined;

  constructor(code: ErrorCode, message: string, field?: string, afterMs?: number) {
    super(message);
    this.name = 'FettleError';
    this.code = code;
    this.field = field;
    this.afterMs = afterMs;
  }

  get status(): number {
    return errorTable[this.code].status;
  }

  toBody(): ErrorBody {
    const { code, message, field, afterMs } = this;
    const { advice } = errorTable[code];
    return {
      error: {
        ...{ code, message, advice },
        ...(field !== undefined && { field }),
        ...(afterMs !== undefined && { afterMs }),
      },
    };
  }
}

/** The first issue of invalid input, as a field and a sentence. */
export function describeIssue(error: z.ZodError): { field: string; message: string } {
  const issue = error.issues[0];
  if (!issue) return { field: '', message: 'is not valid' };
  const unknownKey = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const path = [...issue.path, ...(unknownKey === undefined ? [] : [unknownKey])];
  return { field: path.map(String).join('.'), message: plainIssue(issue) };
}
