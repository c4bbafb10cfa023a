/** Whether Redis answers, as far as this api knows; the log tells once when that ends, and once when it is over. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '@fettle/log';
import type { Redis } from '@fettle/queue';

const everyMs = 1_000;
const limitMs = 2_000;

export type RedisWatch = ReturnType<typeof watchRedis>;

/** A Redis whose disk is full answers a ping with that: it takes no writes, and so counts as away. */
export function watchRedis(redis: Redis, log: Log) {
  const stopping = new AbortController();
  let asked: Promise<string> | undefined;
  let awaySince: number | undefined;

  /** One question at a time: while Redis is away, they would pile up. */
  function ask(): Promise<string> {
    asked ??= redis
      .ping()
      .then(
        () => 'answers',
        (error: Error) => error.message,
      )
      .finally(() => {
        asked = undefined;
      });
    return asked;
  }

  function note(answer: string): void {
    if (answer === 'answers' && awaySince !== undefined) {
      const seconds = Math.round((performance.now() - awaySince) / 1000);
      log.warn({ seconds }, 'Redis answers again');
      awaySince = undefined;
    } else if (answer !== 'answers' && awaySince === undefined) {
      awaySince = performance.now();
      log.warn({ why: answer }, 'Redis does not answer; what needs it waits');
    }
  }

  async function run(): Promise<void> {
    const { signal } = stopping;
    while (!signal.aborted) {
      const late = delay(limitMs, `nothing for ${limitMs / 1000} s`, { signal });
      const answer = await Promise.race([ask(), late]);
      if (!signal.aborted) note(answer);
      await delay(everyMs, undefined, { signal });
    }
  }

  run().catch(() => {});
  return {
    answers: () => awaySince === undefined && redis.status === 'ready',
    stop: () => stopping.abort(),
  };
}
