import type { ErrorCode } from '@fettle/contract';
import type { SandboxErrorCode } from '@fettle/sandbox';

/** The exit codes of `fettle`. Scripts depend on them. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  denied: 3,
  unavailable: 4,
  cancelled: 5,
  unchanged: 6,
  // For `sandbox exec`, the same as those of `docker run`.
  sandboxFailed: 125,
  programNotFound: 127,
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export type CliErrorCode =
  | ErrorCode
  | SandboxErrorCode
  | 'usage'
  | 'interrupted'
  | 'home_in_use'
  | 'home_unwritable'
  | 'port_in_use'
  | 'server_unreachable'
  | 'service_failed'
  | 'no_token'
  | 'no_model_key'
  | 'no_sandbox'
  | 'no_scanner'
  | 'config_exists'
  | 'config_not_written'
  | 'github_setup_failed'
  | 'redis';

/** An error that the user can fix, with advice. */
export class CliError extends Error {
  override name = 'CliError';
  readonly code: CliErrorCode;
  readonly exitCode: ExitCode;
  readonly advice: string;

  constructor(
    code: CliErrorCode,
    message: string,
    { exitCode, advice }: { exitCode: ExitCode; advice: string },
  ) {
    super(message);
    this.code = code;
    this.exitCode = exitCode;
    this.advice = advice;
  }
}

export function usageError(message: string, advice = 'Run the command with --help.'): CliError {
  return new CliError('usage', message, { exitCode: exitCodes.usage, advice });
}

export function interruptedError(): CliError {
  return new CliError('interrupted', 'interrupted', {
    exitCode: exitCodes.interrupted,
    advice: 'Run the command again to retry.',
  });
}
