/** The consumer of a queue. */
import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs } from '@fettle/backoff';
import { jobSchema } from '@fettle/contract';
import { DelayedError, type Processor, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { queueName } from './code-queue.ts';

/** A job whose completion did not reach Redis is handed out again. Its worker then finds nothing to claim. */
const closeTimeoutMs = 2_000;
const backoff = { firstMs: 100, longestMs: 5_000 };

export interface ConsumeOptions {
  concurrency: number;
  /** Returns the delay in milliseconds after which the job should come again, if it came too early. */
  work(id: string): Promise<number | undefined>;
  /** The job failed and goes back into the queue. */
  onFailed(error: Error): void;
  /** Redis is unreachable or answers with an error. */
  onError(error: Error): void;
}

/** Calls `work` with the id of each operation in the queue. For workers. */
export function consumeCodeQueue(redis: Redis, options: ConsumeOptions) {
  return consumeQueue(redis, {
    ...options,
    name: queueName,
    readId: (data) => jobSchema.parse(data).operationId,
  });
}

export interface ConsumeQueueOptions extends ConsumeOptions {
  name: string;
  /** Reads the id from the content of a job. */
  readId(data: unknown): string;
}

/** Calls `work` with the id of each job, at most `concurrency` at once. */
export function consumeQueue(
  redis: Redis,
  { name, readId, concurrency, work, onFailed, onError }: ConsumeQueueOptions,
) {
  const running = new Set<Promise<unknown>>();
  const processJob: Processor<unknown> = async (job, token) => {
    const working = work(readId(job.data));
    running.add(working);
    const againInMs = await working.finally(() => running.delete(working));
    if (againInMs === undefined) return;
    await job.moveToDelayed(Date.now() + againInMs, token);
    throw new DelayedError();
  };
  const worker = new Worker<unknown>(name, processJob, {
    connection: redis,
    concurrency,
    // Short: a job that is handed out twice is harmless, because only one claim succeeds. A job that waits is not.
    lockDuration: 10_000,
    stalledInterval: 5_000,
    maxStalledCount: 20,
    autorun: false,
  });
  worker.on('error', onError);
  worker.on('failed', (_job, error) => onFailed(error));
  const pauses = createPauses(worker);
  const stopBackingOff = backOffOnErrorReplies(worker, pauses);
  worker.run().catch(onError);
  return {
    ready: async () => {
      await worker.waitUntilReady();
    },
    /** Takes no more jobs until `resume`. Running ones continue. One that is being fetched still arrives. */
    pause: () => pauses.begin('asked'),
    resume: () => pauses.end('asked'),
    /** Takes no more jobs and waits for running ones. After these, waits only briefly for Redis, which may be unreachable. */
    async close(): Promise<void> {
      stopBackingOff();
      const closing = worker.close().catch(onError);
      let isClosed = false;
      void closing.finally(() => {
        isClosed = true;
      });
      do {
        await Promise.allSettled(running);
        await Promise.race([closing, delay(closeTimeoutMs, undefined, { ref: false })]);
      } while (!isClosed && running.size > 0);
    },
  };
}

type Pauses = ReturnType<typeof createPauses>;

/** The worker is paused while there is at least one reason. */
function createPauses(worker: Worker<unknown>) {
  const reasons = new Set<'asked' | 'error_replies'>();
  return {
    begin(reason: 'asked' | 'error_replies'): void {
      reasons.add(reason);
      void worker.pause(true);
    },
    end(reason: 'asked' | 'error_replies'): void {
      if (reasons.delete(reason) && reasons.size === 0) void worker.resume();
    },
  };
}

/**
 * BullMQ repeats a fetch that Redis answers with an error (its disk is full, it is loading) ten times a second or faster.
 * This pauses the worker after each such answer, for longer each time. Running jobs and their locks are not affected.
 * Lost connections are left to ioredis, which reconnects with a backoff of its own.
 */
function backOffOnErrorReplies(worker: Worker<unknown>, pauses: Pauses): () => void {
  let failures = 0;
  let failedAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  worker.on('error', ({ name }) => {
    if (name !== 'ReplyError' || timer || isStopped) return;
    // A fetch that succeeds emits no event, so a long time without an error resets the backoff.
    if (performance.now() - failedAt > 2 * backoff.longestMs) failures = 0;
    failedAt = performance.now();
    timer = setTimeout(
      () => {
        timer = undefined;
        pauses.end('error_replies');
      },
      backoffMs(failures, backoff),
    );
    failures += 1;
    pauses.begin('error_replies');
  });
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
