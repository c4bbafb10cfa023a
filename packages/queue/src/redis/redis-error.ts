export type RedisErrorCode = 'redis_missing' | 'redis_fetch_failed' | 'redis_start_failed';

/** Why the embedded Redis is not available, what to do about it, and the last lines of output. */
export class RedisError extends Error {
  override name = 'RedisError';
  readonly code: RedisErrorCode;
  readonly advice: string;
  readonly log: string;

  constructor(code: RedisErrorCode, message: string, { advice, log = '' }: { advice: string; log?: string }) {
    super(log ? `${message}\n${log.replace(/^/gm, '  │ ')}` : message);
    this.code = code;
    this.advice = advice;
    this.log = log;
  }
}

export const installAdvice =
  "Install redis-server with your package manager (for example 'apt-get install redis-server' or 'brew install redis'), or set REDIS_URL to a running Redis server.";
