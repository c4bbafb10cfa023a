/** Whether Redis answers and takes writes, as far as this api knows; the log tells once when that ends, and once when it is over. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '@fettle/log';
import { assertRedisWrites, type Redis } from '@fettle/queue';

const everyMs = 1_000;
const limitMs = 2_000;

interface Fault {
  what: string;
  why: string;
}

export type RedisWatch = ReturnType<typeof watchRedis>;

/** One that takes no writes counts as away: its disk or its memory is full, or it is a copy of another. */
export function watchRedis(redis: Redis, log: Log) {
  const stopping = new AbortController();
  let asked: Promise<Fault | undefined> | undefined;
  let fault: Fault | undefined;
  let awaySince: number | undefined;

  /** One question at a time: while Redis is away, they would pile up. */
  function ask(): Promise<Fault | undefined> {
    asked ??= assertRedisWrites(redis)
      .then(
        () => undefined,
        ({ name, message }: Error) => ({
          what: name === 'ReplyError' ? 'takes no writes' : 'does not answer',
          why: message,
        }),
      )
      .finally(() => {
        asked = undefined;
      });
    return asked;
  }

  function note(found: Fault | undefined): void {
    fault = found;
    if (found === undefined && awaySince !== undefined) {
      const seconds = Math.round((performance.now() - awaySince) / 1000);
      log.warn({ seconds }, 'Redis answers again');
      awaySince = undefined;
    } else if (found !== undefined && awaySince === undefined) {
      awaySince = performance.now();
      log.warn({ why: found.why }, `Redis ${found.what}; what needs it waits`);
    }
  }

  async function run(): Promise<void> {
    const { signal } = stopping;
    while (!signal.aborted) {
      const silence = { what: 'does not answer', why: `nothing for ${limitMs / 1000} s` };
      const found = await Promise.race([ask(), delay(limitMs, silence, { signal })]);
      if (!signal.aborted) note(found);
      await delay(everyMs, undefined, { signal });
    }
  }

  run().catch(() => {});
  return {
    /** What is wrong with it, in words that follow its name; nothing while it is well. */
    fault: () => fault?.what ?? (redis.status === 'ready' ? undefined : 'does not answer'),
    stop: () => stopping.abort(),
  };
}
