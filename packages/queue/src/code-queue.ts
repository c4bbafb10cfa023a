/** The queue that wakes workers. It decides nothing: a claim in Postgres decides who owns an operation. */
import { type Job, type JobOrder, jobSchema, longestPauseMs, type Priority } from '@fettle/contract';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';

export const queueName = 'code-operation';
/** BullMQ runs smaller numbers first. Every job has a priority, because jobs without one run before all others. */
const rank: Record<Priority, number> = { critical: 1, high: 2, medium: 3, low: 4 };

/** The limit for one call. The next call continues. */
const maxPromoted = 1_000;

/** How many jobs of one attempt workers can hold at once. The api adds jobs beyond that at its next reconcile. */
const maxHeld = 5;

/** A time that is further away than the longest pause means that a clock was set back since. */
function delayOf({ notBefore }: JobOrder): number {
  const ms = notBefore === null ? 0 : Date.parse(notBefore) - Date.now();
  return ms > 0 && ms <= longestPauseMs ? ms : 0;
}

const jobIdOf = ({ operationId, attempt }: Pick<JobOrder, 'operationId' | 'attempt'>) =>
  `${operationId}-${attempt}`;

export type CodeQueue = ReturnType<typeof openCodeQueue>;

export function openCodeQueue(redis: Redis) {
  const queue = new Queue<Job>(queueName, { connection: redis });
  queue.on('error', () => {});

  async function addAs(jobId: string, order: JobOrder): Promise<boolean> {
    const { operationId, priority } = order;
    const delay = delayOf(order);
    const known = await queue.getJob(jobId);
    // BullMQ delays a job by the clock of the process that adds it and promotes it by the clock of a worker. These can be
    // hours apart.
    if (known && delay === 0 && (await known.isDelayed())) await known.promote().catch(() => {});
    if (known) return false;
    await queue.add(
      'operation',
      { operationId },
      {
        jobId,
        priority: rank[priority],
        delay,
        // A worker that cannot reach the api returns the job. This does not repeat the operation itself.
        attempts: 20,
        backoff: { type: 'exponential', delay: 500, jitter: 0.5 },
        removeOnComplete: true,
        removeOnFail: true,
      },
    );
    return true;
  }

  return {
    /** Idempotent: there is one job per attempt. Returns whether the job is new. */
    add: (order: JobOrder): Promise<boolean> => addAs(jobIdOf(order), order),
    /**
     * Adds a job for the attempt even if a worker holds its job: the worker's claim may just have been refused because the
     * operation was paused. A worker that takes a superfluous job finds nothing to claim.
     */
    async addAgain(order: JobOrder): Promise<void> {
      const jobId = jobIdOf(order);
      for (let held = 0; held < maxHeld; held++) {
        const id = held === 0 ? jobId : `${jobId}-${held}`;
        if (await addAs(id, order)) return;
        // A job that disappeared between the two calls was held by a worker too.
        if (!['active', 'unknown'].includes(await queue.getJobState(id))) return;
      }
    },
    async remove(order: Pick<JobOrder, 'operationId' | 'attempt'>): Promise<void> {
      await queue.remove(jobIdOf(order));
    },
    /**
     * Promotes delayed jobs that no queued operation expects. Such a job was delayed by a wrong clock, and another job
     * started its attempt since. It would stay for hours. Returns the ids of the operations.
     */
    async promoteAllExcept(expected: Pick<JobOrder, 'operationId' | 'attempt'>[]): Promise<string[]> {
      const kept = new Set(expected.map(jobIdOf));
      const stale = (await queue.getDelayed(0, maxPromoted - 1)).filter(({ id }) => id && !kept.has(id));
      // A job that was taken or removed meanwhile needs no promotion.
      for (const job of stale) await job.promote().catch(() => {});
      return stale.map(({ data }) => jobSchema.parse(data).operationId);
    },
    async depth(): Promise<number> {
      return queue.count();
    },
    async close(): Promise<void> {
      await queue.close();
    },
  };
}
