/** The queue that wakes workers. It decides nothing: who owns an operation is decided by a claim in Postgres. */
import { type Job, jobSchema, type Priority } from '@fettle/contract';
import { Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';

const queueName = 'code-operation';
/** Smaller runs first; every job has one, since jobs without would run before all others. */
const rank: Record<Priority, number> = { critical: 1, high: 2, medium: 3, low: 4 };

export type CodeQueue = ReturnType<typeof openCodeQueue>;

export function openCodeQueue(redis: Redis) {
  const queue = new Queue<Job>(queueName, { connection: redis });
  queue.on('error', () => {});
  return {
    /** Adding the same operation twice is adding it once, until it has been worked on. */
    async add(operationId: string, priority: Priority): Promise<void> {
      await queue.add(
        'operation',
        { operationId },
        {
          jobId: operationId,
          priority: rank[priority],
          // A worker that cannot reach the api gives the job back; the operation itself is never tried twice by this.
          attempts: 20,
          backoff: { type: 'exponential', delay: 500, jitter: 0.5 },
          removeOnComplete: true,
          removeOnFail: true,
        },
      );
    },
    async remove(operationId: string): Promise<void> {
      await queue.remove(operationId);
    },
    async depth(): Promise<number> {
      return queue.count();
    },
    async close(): Promise<void> {
      await queue.close();
    },
  };
}

export interface ConsumeOptions {
  concurrency: number;
  work(operationId: string): Promise<void>;
  onError(error: Error): void;
}

/** Calls `work` for each operation the queue hands out, at most `concurrency` at once. */
export function consumeCodeQueue(redis: Redis, { concurrency, work, onError }: ConsumeOptions) {
  const worker = new Worker<Job>(queueName, async (job) => work(jobSchema.parse(job.data).operationId), {
    connection: redis,
    concurrency,
    lockDuration: 30_000,
    stalledInterval: 15_000,
  });
  worker.on('error', onError);
  worker.on('failed', (_job, error) => onError(error));
  return {
    ready: async () => {
      await worker.waitUntilReady();
    },
    /** Takes no more and waits for what is under way. */
    close: async () => worker.close(),
  };
}
