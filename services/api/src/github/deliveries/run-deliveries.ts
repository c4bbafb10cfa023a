/** Runs the effects of stored deliveries. The database has what is due; the queue only spreads it and wakes at once. */
import { backoffMs } from '@fettle/backoff';
import { FettleError } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import type { Database } from '@fettle/database';
import { createFailureNote, type Log } from '@fettle/log';
import { connectRedis, consumeForgeEvents, openForgeEventQueue, type Redis } from '@fettle/queue';
import { within } from '../../within.ts';
import { listEffects, type PlannedEffect } from '../events/list-effects.ts';
import { classifyFailure } from '../failures.ts';

export interface RunDeliveriesOptions {
  database: Database;
  redis: Redis;
  redisUrl: string;
  log: Log;
  /** Plans the effect of an event. */
  plan?: typeof listEffects;
  run(effect: PlannedEffect): Promise<EffectResult>;
  everyMs?: number;
}

export type EffectResult = { did: string } | { ignored: string };

const concurrency = 8;
const batchSize = 500;
const backoff = { firstMs: 1_000, longestMs: 5 * 60_000 };
/** An effect that fails for a reason that does not pass is a bug, or something that GitHub refuses. */
const maxFailures = 3;

export function runDeliveries(options: RunDeliveriesOptions) {
  const { database, redis, redisUrl, log, run, plan = listEffects, everyMs = 2_000 } = options;
  const queue = openForgeEventQueue(redis);
  const note = createFailureNote(log, 'webhooks could not be queued; they will be retried');
  const consumerRedis = connectRedis(redisUrl);
  /** Deliveries of one comment, review or check run one after the other. There is one api for each database. */
  const locks = new Map<string, Promise<unknown>>();

  async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = locks.get(key) ?? Promise.resolve();
    const mine = before.catch(() => {}).then(work);
    locks.set(key, mine);
    try {
      return await mine;
    } finally {
      if (locks.get(key) === mine) locks.delete(key);
    }
  }

  async function perform(id: string): Promise<void> {
    const delivery = await database.forgeEvents.findWaiting(id);
    if (!delivery) return;
    const planned = plan(delivery.event, delivery.payload);
    if ('ignored' in planned) {
      await database.forgeEvents.end({ id, state: 'ignored', note: planned.ignored });
      return;
    }
    const { key } = planned;
    try {
      await inTurn(key ?? id, async () => {
        if (key !== undefined && (await database.forgeEvents.hasEffect(key))) {
          await database.forgeEvents.end({ id, state: 'ignored', note: 'repeated' });
          return;
        }
        const result = await run(planned);
        crashPoint('effect-done');
        const state = 'did' in result ? 'done' : 'ignored';
        const text = 'did' in result ? result.did : result.ignored;
        await database.forgeEvents.end({ id, state, note: text, effect: key });
      });
    } catch (error) {
      await handleFailure(delivery, error);
    }
  }

  async function handleFailure(
    { id, event, tries }: { id: string; event: string; tries: number },
    error: unknown,
  ) {
    if (error instanceof FettleError && error.code === 'repository_not_found') {
      await database.forgeEvents.end({ id, state: 'ignored', note: error.message });
      return;
    }
    const failure = classifyFailure(error);
    const message = (error as Error).message;
    if (!failure.passes && tries + 1 >= maxFailures) {
      log.error({ delivery: id, event, err: error }, 'the effect of a webhook failed');
      await database.forgeEvents.end({ id, state: 'failed', note: message });
      return;
    }
    const pauseMs = Math.max(backoffMs(tries, backoff), (failure.passes && failure.afterMs) || 0);
    log.warn({ delivery: id, event, why: message, pauseMs }, 'the effect of a webhook is delayed');
    await database.forgeEvents.delay({ id, untilMs: Date.now() + pauseMs, note: message });
  }

  const consumer = consumeForgeEvents(consumerRedis, {
    concurrency,
    work: async (id) => {
      await perform(id);
      return undefined;
    },
    onFailed: (error) => note.failed(error),
    onError: (error) => note.failed(error),
  });

  let isScanning = false;
  let stopped = false;
  /** Finds what a crash, a lost Redis or a delay left behind. */
  async function scan(): Promise<void> {
    if (isScanning || stopped) return;
    isScanning = true;
    try {
      for (const id of await database.forgeEvents.listDue(batchSize)) await queue.add(id);
      note.recovered();
    } catch (error) {
      if (!stopped) note.failed(error);
    } finally {
      isScanning = false;
    }
  }
  const timer = setInterval(scan, everyMs);

  return {
    /** Does not wait: Redis may be away, and the scan finds the delivery. */
    wake(id: string): void {
      queue.add(id).catch(() => {});
    },
    scan,
    async stop(): Promise<void> {
      stopped = true;
      clearInterval(timer);
      await within(5_000, consumer.close());
      consumerRedis.disconnect();
      await within(1_000, queue.close());
    },
  };
}
