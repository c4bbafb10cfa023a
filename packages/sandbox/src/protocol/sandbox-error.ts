/** All errors of a sandbox. Toolbox and host throw the same class. */

/** Codes that a toolbox may send. */
export const refusalCodes = [
  // The toolbox refuses the request; the sandbox stays usable.
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
  // The request was aborted; the sandbox stays usable.
  'timeout',
  'cancelled',
] as const;

/**
 * The sandbox has ended or could not start. With `no_place`, all sandboxes are in use; with `unavailable`, the broker or its
 * engine does not answer. Both may pass by themselves. Only the host creates these: users see them as the reason of a failure,
 * so a compromised toolbox must not be able to choose them.
 */
const endCodes = ['no_place', 'unavailable', 'start_failed', 'wrong_protocol', 'malformed', 'ended'] as const;

export type SandboxErrorCode = (typeof refusalCodes)[number] | (typeof endCodes)[number];

export class SandboxError extends Error {
  override readonly name = 'SandboxError';
  readonly code: SandboxErrorCode;

  constructor(code: SandboxErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  /** Whether the sandbox has ended. After other errors it stays usable. */
  get endsSandbox(): boolean {
    return (endCodes as readonly string[]).includes(this.code);
  }
}
