/** What must be true of Redis when every operation has ended: no job, and no unstored event. */
import type { Redis } from '@fettle/queue';

const queue = 'bull:code-operation';
const lists = ['wait', 'active', 'paused'];
const sortedSets = ['prioritized', 'delayed', 'waiting-children'];

/** Every job that a worker could still get, with its operation. */
export async function listJobs(redis: Redis): Promise<{ job: string; place: string; operationId: string }[]> {
  const places = [
    ...(await Promise.all(lists.map(async (place) => ({ place, jobs: await readList(redis, place) })))),
    ...(await Promise.all(
      sortedSets.map(async (place) => ({ place, jobs: await redis.zrange(`${queue}:${place}`, '0', '-1') })),
    )),
  ];
  const jobs = places.flatMap(({ place, jobs }) => jobs.map((job) => ({ place, job })));
  return Promise.all(
    jobs.map(async ({ place, job }) => {
      const data = JSON.parse((await redis.hget(`${queue}:${job}`, 'data')) ?? '{}') as {
        operationId?: string;
      };
      return { place, job, operationId: data.operationId ?? 'an unknown operation' };
    }),
  );
}

async function readList(redis: Redis, place: string): Promise<string[]> {
  const jobs = await redis.lrange(`${queue}:${place}`, 0, -1);
  // The queue's own wake-up mark is no job.
  return jobs.filter((job) => !job.startsWith('0:'));
}

export async function findQueueFaults(redis: Redis, operationIds: Set<string>): Promise<string[]> {
  const jobs = await listJobs(redis);
  const unstored = await redis.smembers('fettle:events:unstored');
  const streams = await Promise.all(
    [...operationIds].map(async (id) => ({ id, length: await redis.xlen(`fettle:events:${id}`) })),
  );
  return [
    ...jobs.map(({ job, place, operationId }) => `${operationId}: its job ${job} is still ${place}`),
    ...unstored.map((id) => `${id}: Redis says that it has events which are not stored`),
    ...streams.filter(({ length }) => length > 0).map(({ id, length }) => `${id}: ${length} events in Redis`),
  ];
}
