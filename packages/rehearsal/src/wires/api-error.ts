export type ApiError = {
  status: number;
  type: string;
  message: string;
  /** Only chat completions have it. */
  code?: string;
  retryAfterSeconds?: number | undefined;
};

const types: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

const messages: Record<string, string> = {
  rate_limit_error: 'This request would exceed your rate limit.',
  overloaded_error: 'Overloaded',
  api_error: 'Internal server error',
};

export function apiError(status: number, message?: string): ApiError {
  const type = types[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
  return { status, type, message: message ?? messages[type] ?? type };
}

/** An error event in the middle of a stream. */
export function streamError(type: string): Pick<ApiError, 'type' | 'message'> {
  return { type, message: messages[type] ?? type };
}
