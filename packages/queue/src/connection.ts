import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';

/** Fails when Redis does not answer in time: at its start a process should say so instead of waiting for ever. */
export async function assertRedisAnswers(redis: Redis, limitMs: number): Promise<void> {
  const late = delay(limitMs, 'late' as const, { ref: false });
  if ((await Promise.race([redis.ping(), late])) === 'late') {
    throw new Error(`Redis has not answered for ${limitMs / 1000} s`);
  }
}

/** Longer than any command of ours or of the queue waits by itself, which is ten seconds. */
const longestSilenceMs = 20_000;

/**
 * A connection to Redis by URL; `unix:///path` is a socket. Commands wait while Redis is away instead of
 * failing after a number of tries: what must not wait for ever carries its own time limit.
 */
export function connectRedis(url: string, { silenceMs = longestSilenceMs } = {}): Redis {
  const options = {
    maxRetriesPerRequest: null,
    // A connection whose other side is gone without a word, as with its machine, is not waited at for hours: what was
    // under way is asked anew on another one.
    socketTimeout: silenceMs,
    enableReadyCheck: true,
    retryStrategy: (tries: number) =>
      Math.min(50 * 2 ** Math.min(tries, 6), 2_000) * (0.5 + Math.random() / 2),
  };
  const redis = url.startsWith('unix://')
    ? new Redis({ path: decodeURIComponent(url.slice('unix://'.length)), ...options })
    : new Redis(url, options);
  // Without a listener ioredis prints; `readyz` and waiting commands already tell that Redis is away.
  redis.on('error', () => {});
  return redis;
}

/** Fails where Redis answers and cannot write: its disk or its memory is full, or it is a copy of another one. */
export async function assertRedisWrites(redis: Redis): Promise<void> {
  await redis.set('fettle:write-check', '1', 'EX', 60);
}

/** Whether what Redis acknowledges survives its end. */
export async function keepsWrites(redis: Redis): Promise<boolean> {
  return !/^aof_enabled:0/m.test(await redis.info('persistence'));
}
