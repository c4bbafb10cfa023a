/** What a model's service said instead of an answer. */
export class StatusError extends Error {
  override name = 'StatusError';
  readonly status: number;
  /** The service's own name for it, where it has one. */
  readonly code: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    words: string,
    { status, code, retryAfter }: { status: number; code?: string; retryAfter?: string | undefined },
  ) {
    super(words);
    this.status = status;
    this.code = code;
    const seconds = Number(retryAfter ?? Number.NaN);
    this.retryAfterSeconds = Number.isFinite(seconds) ? seconds : undefined;
  }
}
