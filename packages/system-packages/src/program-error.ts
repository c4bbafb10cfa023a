export type ProgramErrorCode = 'program_missing' | 'program_fetch_failed';

/** A program is not available: why, what to do about it, and the last lines of the output. */
export class ProgramError extends Error {
  override name = 'ProgramError';
  readonly code: ProgramErrorCode;
  readonly advice: string;
  readonly log: string;

  constructor(
    code: ProgramErrorCode,
    message: string,
    { advice, log = '' }: { advice: string; log?: string },
  ) {
    super(message);
    this.code = code;
    this.advice = advice;
    this.log = log;
  }
}
