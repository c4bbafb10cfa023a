/** Checks every second whether Redis answers and accepts writes. Logs once when it stops doing so, and once when it recovers. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '@fettle/log';
import { assertRedisWrites, type Redis } from '@fettle/queue';

const everyMs = 1_000;
const timeoutMs = 2_000;

interface Fault {
  summary: string;
  reason: string;
}

export type RedisWatch = ReturnType<typeof watchRedis>;

/** A Redis that refuses writes counts as unavailable: its disk or memory is full, or it is a replica. */
export function watchRedis(redis: Redis, log: Log) {
  const stopping = new AbortController();
  let pending: Promise<Fault | undefined> | undefined;
  let fault: Fault | undefined;
  let failingSince: number | undefined;

  /** One check at a time: while Redis is unreachable, they would pile up. */
  function check(): Promise<Fault | undefined> {
    pending ??= assertRedisWrites(redis)
      .then(
        () => undefined,
        ({ name, message }: Error) => ({
          summary: name === 'ReplyError' ? 'refuses writes' : 'does not answer',
          reason: message,
        }),
      )
      .finally(() => {
        pending = undefined;
      });
    return pending;
  }

  function note(found: Fault | undefined): void {
    fault = found;
    if (found === undefined && failingSince !== undefined) {
      const seconds = Math.round((performance.now() - failingSince) / 1000);
      log.warn({ seconds }, 'Redis answers again');
      failingSince = undefined;
    } else if (found !== undefined && failingSince === undefined) {
      failingSince = performance.now();
      log.warn({ why: found.reason }, `Redis ${found.summary}; operations wait until it recovers`);
    }
  }

  async function run(): Promise<void> {
    const { signal } = stopping;
    while (!signal.aborted) {
      const silence = { summary: 'does not answer', reason: `no answer for ${timeoutMs / 1000} s` };
      const found = await Promise.race([check(), delay(timeoutMs, silence, { signal })]);
      if (!signal.aborted) note(found);
      await delay(everyMs, undefined, { signal });
    }
  }

  run().catch(() => {});
  return {
    /** A predicate such as 'does not answer'. Undefined while Redis works. */
    fault: () => fault?.summary ?? (redis.status === 'ready' ? undefined : 'does not answer'),
    stop: () => stopping.abort(),
  };
}
