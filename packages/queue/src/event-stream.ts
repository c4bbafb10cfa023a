/**
 * One Redis stream per operation. Positions are 1, 2, 3 … without a gap, given out by the script below, so that
 * whoever follows can tell that nothing is missing. Operations with events that the api has not stored yet are
 * in the set `unstored`; an entry in the list `wake` says that there is something to do.
 */
import { type Event, type EventBody, eventSchema } from '@fettle/contract';
import type { Redis } from 'ioredis';

const keys = {
  stream: (operationId: string) => `fettle:events:${operationId}`,
  /** Keys of events already appended, so that sending one twice adds it once. */
  seen: (operationId: string) => `fettle:events:${operationId}:seen`,
  /** The highest fencing number seen: an older owner can no longer add to the record. */
  fence: (operationId: string) => `fettle:events:${operationId}:fence`,
  unstored: 'fettle:events:unstored',
  wake: 'fettle:events:wake',
};

const appendScript = `
local known = redis.call('HGET', KEYS[2], ARGV[1])
if known then return tonumber(known) end
local fence = tonumber(ARGV[2])
if fence > 0 then
  local current = tonumber(redis.call('GET', KEYS[3]) or '0')
  if fence < current then return -1 end
  if fence > current then redis.call('SET', KEYS[3], fence) end
end
local position = redis.call('HINCRBY', KEYS[2], 'position', 1)
redis.call('XADD', KEYS[1], position .. '-1', 'at', ARGV[3], 'body', ARGV[4])
redis.call('HSET', KEYS[2], ARGV[1], position)
redis.call('SADD', KEYS[4], ARGV[5])
if redis.call('EXISTS', KEYS[5]) == 0 then redis.call('LPUSH', KEYS[5], '1') end
return position`;

/** Trims what is stored, and forgets the operation only if nothing came in the meantime. */
const storedScript = `
redis.call('XTRIM', KEYS[1], 'MINID', (tonumber(ARGV[1]) + 1) .. '-0')
if redis.call('XLEN', KEYS[1]) == 0 then redis.call('SREM', KEYS[2], ARGV[2]) end
return 1`;

export class FencedError extends Error {
  override name = 'FencedError';
}

export interface AppendOptions {
  /** The same key is appended once, however often it is sent. */
  key: string;
  /** The attempt's fencing number; absent for the api, which decides by the database instead. */
  fence?: number;
}

export async function appendEvent(
  redis: Redis,
  operationId: string,
  body: EventBody,
  { key, fence = 0 }: AppendOptions,
): Promise<number> {
  const position = await redis.eval(
    appendScript,
    5,
    keys.stream(operationId),
    keys.seen(operationId),
    keys.fence(operationId),
    keys.unstored,
    keys.wake,
    `key:${key}`,
    fence,
    new Date().toISOString(),
    JSON.stringify(body),
    operationId,
  );
  if (position === -1)
    throw new FencedError(`operation ${operationId} is owned by a newer attempt than ${fence}`);
  return Number(position);
}

/** Events after a position, oldest first. */
export async function readEvents(
  redis: Redis,
  operationId: string,
  after: number,
  limit: number,
): Promise<Event[]> {
  const rows = await redis.xrange(keys.stream(operationId), `${after + 1}-0`, '+', 'COUNT', limit);
  return rows.map(([id, fields]) => {
    const values = Object.fromEntries(pairs(fields));
    return eventSchema.parse({
      operationId,
      position: Number.parseInt(id, 10),
      at: values.at,
      ...JSON.parse(values.body ?? 'null'),
    });
  });
}

export async function listUnstored(redis: Redis): Promise<string[]> {
  return redis.smembers(keys.unstored);
}

/** Waits until some operation has new events, at most for the given time. `redis` is blocked meanwhile. */
export async function awaitNewEvents(redis: Redis, seconds: number): Promise<void> {
  await redis.brpop(keys.wake, seconds);
}

export async function markStored(redis: Redis, operationId: string, position: number): Promise<void> {
  await redis.eval(storedScript, 2, keys.stream(operationId), keys.unstored, position, operationId);
}

function* pairs(flat: string[]): Generator<[string, string]> {
  for (let i = 0; i + 1 < flat.length; i += 2) yield [flat[i] as string, flat[i + 1] as string];
}
