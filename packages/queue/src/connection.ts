import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs } from '@fettle/backoff';
import { Redis } from 'ioredis';

/** For the start of a process, which should fail with a message instead of waiting without a limit. */
export async function assertRedisAnswers(redis: Redis, limitMs: number): Promise<void> {
  const late = delay(limitMs, 'late' as const, { ref: false });
  if ((await Promise.race([redis.ping(), late])) === 'late') {
    throw new Error(`Redis has not answered for ${limitMs / 1000} s`);
  }
}

/** Longer than any of our commands, or BullMQ's, blocks. That is ten seconds. */
const defaultSilenceMs = 20_000;
const backoff = { firstMs: 50, longestMs: 2_000 };

/**
 * Connects to Redis by URL; `unix:///path` is a socket. While Redis is unreachable, commands wait instead of failing after
 * a number of tries. Callers that must not wait without a limit set their own timeout.
 */
export function connectRedis(url: string, { silenceMs = defaultSilenceMs } = {}): Redis {
  const options = {
    maxRetriesPerRequest: null,
    // Detects a peer that vanished without closing the connection, such as a crashed machine. Pending commands are sent
    // again on a new connection.
    socketTimeout: silenceMs,
    enableReadyCheck: true,
    retryStrategy: (tries: number) => backoffMs(tries, backoff),
  };
  const redis = url.startsWith('unix://')
    ? new Redis({ path: decodeURIComponent(url.slice('unix://'.length)), ...options })
    : new Redis(url, options);
  // Without a listener, ioredis prints every error. `/readyz` reports that Redis is unreachable.
  redis.on('error', () => {});
  return redis;
}

/** Fails if Redis answers but cannot write: its disk or memory is full, or it is a read-only replica. */
export async function assertRedisWrites(redis: Redis): Promise<void> {
  await redis.set('fettle:write-check', '1', 'EX', 60);
}

/** Whether acknowledged writes survive a restart of Redis. */
export async function keepsWrites(redis: Redis): Promise<boolean> {
  return !/^aof_enabled:0/m.test(await redis.info('persistence'));
}
