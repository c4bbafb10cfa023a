export type GitleaksErrorCode = 'gitleaks_missing' | 'gitleaks_failed' | 'gitleaks_timeout';

/** gitleaks is not available, so nothing may be pushed. Carries the reason and what to do. */
export class GitleaksError extends Error {
  override name = 'GitleaksError';
  readonly code: GitleaksErrorCode;
  readonly advice: string;

  constructor(code: GitleaksErrorCode, message: string, advice: string = installAdvice) {
    super(message);
    this.code = code;
    this.advice = advice;
  }
}

export const installAdvice =
  "Run 'npm run setup' on Debian, or put gitleaks 8.19 or newer on the PATH (for example 'brew install gitleaks').";
