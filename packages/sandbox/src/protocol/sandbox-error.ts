// Every way in which a sandbox can refuse or fail, in one list; the toolbox and the host throw the same class.

/** What a toolbox may answer. */
export const refusalCodes = [
  // A request that the toolbox answers with a refusal; the sandbox goes on.
  'not_found',
  'is_directory',
  'not_directory',
  'not_regular',
  'too_large',
  'outside',
  'denied',
  'bad_request',
  'bad_pattern',
  'too_many_changes',
  'tree_refused',
  'failed',
  // A request that was given up; the sandbox goes on.
  'timeout',
  'cancelled',
] as const;

/**
 * The end of the sandbox, or no beginning; a place is free again when another sandbox ends. Only the host says these: by
 * them people learn why an operation failed, and a toolbox that was taken over would tell them what it likes.
 */
const endCodes = ['no_place', 'start_failed', 'wrong_protocol', 'malformed', 'ended'] as const;

export type SandboxErrorCode = (typeof refusalCodes)[number] | (typeof endCodes)[number];

export class SandboxError extends Error {
  override readonly name = 'SandboxError';
  readonly code: SandboxErrorCode;

  constructor(code: SandboxErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  /** Whether the sandbox is gone; after any other error it goes on. */
  get endsSandbox(): boolean {
    return (endCodes as readonly string[]).includes(this.code);
  }
}
