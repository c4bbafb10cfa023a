/** The queue that wakes workers. It decides nothing: who owns an operation is decided by a claim in Postgres. */
import { type Job, type JobOrder, jobSchema, longestPauseMs, type Priority } from '@fettle/contract';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';

export const queueName = 'code-operation';
/** Smaller runs first; every job has one, since jobs without would run before all others. */
const rank: Record<Priority, number> = { critical: 1, high: 2, medium: 3, low: 4 };

/** At one look; the next one goes on. */
const mostWoken = 1_000;

/** As many jobs of one attempt as workers may hold at once. What is not added then, the next look of the api adds. */
const mostHeld = 5;

/** A moment further away than any pause says only that a clock was set back since. */
function pauseOf({ notBefore }: JobOrder): number {
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
    const delay = pauseOf(order);
    const known = await queue.getJob(jobId);
    // The queue delays by the clock of whoever adds and wakes by that of a worker: they may be hours apart.
    if (known && delay === 0 && (await known.isDelayed())) await known.promote().catch(() => {});
    if (known) return false;
    await queue.add(
      'operation',
      { operationId },
      {
        jobId,
        priority: rank[priority],
        delay,
        // A worker that cannot reach the api gives the job back; the operation itself is never tried twice by this.
        attempts: 20,
        backoff: { type: 'exponential', delay: 500, jitter: 0.5 },
        removeOnComplete: true,
        removeOnFail: true,
      },
    );
    return true;
  }

  return {
    /** One job for each attempt: to add it twice is to add it once. True where it was not there yet. */
    add: (order: JobOrder): Promise<boolean> => addAs(jobIdOf(order), order),
    /**
     * For an attempt that is wanted anew: a worker may hold its job and have just been refused, because the operation was
     * paused. Whoever takes the one behind it too many finds nothing to claim.
     */
    async addBehind(order: JobOrder): Promise<void> {
      const jobId = jobIdOf(order);
      for (let held = 0; held < mostHeld; held++) {
        const id = held === 0 ? jobId : `${jobId}-${held}`;
        if (await addAs(id, order)) return;
        // One that has gone between the two looks was held too.
        if (!['active', 'unknown'].includes(await queue.getJobState(id))) return;
      }
    },
    async remove(order: Pick<JobOrder, 'operationId' | 'attempt'>): Promise<void> {
      await queue.remove(jobIdOf(order));
    },
    /**
     * A job that waits by a clock that was wrong, for an attempt that somebody else's job has begun since, would stay for
     * hours: it is handed out now, and whoever takes it finds nothing to claim. Gives the operations of those.
     */
    async wakeAllBut(expected: Pick<JobOrder, 'operationId' | 'attempt'>[]): Promise<string[]> {
      const kept = new Set(expected.map(jobIdOf));
      const stale = (await queue.getDelayed(0, mostWoken - 1)).filter(({ id }) => id && !kept.has(id));
      // One that is taken or gone meanwhile needs no waking.
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
