/** Errors with GitHub's status codes and messages. */

export interface FieldError {
  resource: string;
  field?: string;
  code: string;
  message?: string;
}

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly errors: readonly (FieldError | string)[];
  readonly headers: Record<string, string>;

  constructor(status: number, message: string, extras: ApiErrorExtras = {}) {
    super(message);
    this.status = status;
    this.errors = extras.errors ?? [];
    this.headers = extras.headers ?? {};
  }
}

interface ApiErrorExtras {
  errors?: readonly (FieldError | string)[];
  headers?: Record<string, string>;
}

export function notFound(): ApiError {
  return new ApiError(404, 'Not Found');
}

export function badCredentials(message = 'Bad credentials'): ApiError {
  return new ApiError(401, message);
}

export function invalid(...errors: (FieldError | string)[]): ApiError {
  return new ApiError(422, 'Validation Failed', { errors });
}

export function errorBody({ message, errors, status }: ApiError): Record<string, unknown> {
  return {
    message,
    ...(errors.length > 0 && { errors }),
    documentation_url: 'https://docs.github.com/rest',
    status: String(status),
  };
}
