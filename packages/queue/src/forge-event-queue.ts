/** The queue of webhooks that wait for their effect. Postgres has their content and decides which are done. */
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { type ConsumeOptions, consumeQueue } from './consume-code-queue.ts';

const queueName = 'forge-events';
const jobSchema = z.strictObject({ deliveryId: z.string() });

export type ForgeEventQueue = ReturnType<typeof openForgeEventQueue>;

export function openForgeEventQueue(redis: Redis) {
  const queue = new Queue<z.infer<typeof jobSchema>>(queueName, { connection: redis });
  queue.on('error', () => {});
  return {
    /** Idempotent while the job is in the queue. */
    async add(deliveryId: string): Promise<void> {
      const options = { jobId: `delivery-${deliveryId}`, removeOnComplete: true, removeOnFail: true };
      await queue.add('event', { deliveryId }, options);
    },
    async close(): Promise<void> {
      await queue.close();
    },
  };
}

/** Calls `work` with the id of each delivery in the queue. A job that fails is added again by the api, which has the delivery. */
export function consumeForgeEvents(redis: Redis, options: ConsumeOptions) {
  return consumeQueue(redis, {
    ...options,
    name: queueName,
    readId: (data) => jobSchema.parse(data).deliveryId,
  });
}
