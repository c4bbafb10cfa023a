/**
 * One Redis stream per operation. Positions are 1, 2, 3 … without a gap, given out by the script below, so that
 * whoever follows can tell that nothing is missing. Operations with events that the api has not stored yet are
 * in the set `unstored`; an entry in the list `wake` says that there is something to do.
 */
import { type Event, type EventBody, eventBodySchema, eventSchema } from '@fettle/contract';
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

/** All of a batch or nothing: an answer of the model is on record whole, or it was never given. */
const appendScript = `
local known = redis.call('HGET', KEYS[2], ARGV[1])
if known then return tonumber(known) end
local position = redis.call('HGET', KEYS[2], 'position')
if not position then return -2 end
local fence = tonumber(ARGV[2])
if fence > 0 and fence < tonumber(redis.call('GET', KEYS[3]) or '0') then return -1 end
position = tonumber(position)
for i = 5, #ARGV do
  position = position + 1
  redis.call('XADD', KEYS[1], position .. '-1', 'at', ARGV[3], 'body', ARGV[i])
end
redis.call('HSET', KEYS[2], 'position', position, ARGV[1], position)
redis.call('SADD', KEYS[4], ARGV[4])
if redis.call('EXISTS', KEYS[5]) == 0 then redis.call('LPUSH', KEYS[5], '1') end
return position`;

/** Lets nobody write any more who is older than the fence. */
const fenceScript = `
if tonumber(redis.call('GET', KEYS[1]) or '0') < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], ARGV[1]) end
return 1`;

/** Goes on where the database ends, for nobody who is older than the fence. */
const openScript = `
if tonumber(redis.call('HGET', KEYS[2], 'position') or '-1') < tonumber(ARGV[2]) then
  redis.call('HSET', KEYS[2], 'position', ARGV[2])
end${fenceScript}`;

/** Trims what is stored, and forgets the operation only if nothing came in the meantime. */
const storedScript = `
redis.call('XTRIM', KEYS[1], 'MINID', (tonumber(ARGV[1]) + 1) .. '-0')
if redis.call('XLEN', KEYS[1]) == 0 then redis.call('SREM', KEYS[2], ARGV[2]) end
return 1`;

/** The stream belongs to a newer attempt, or to none any more. */
export class FencedError extends Error {
  override name = 'FencedError';
}

/** Redis does not know the stream: it was never opened, or Redis lost its data. */
export class StreamNotOpenError extends Error {
  override name = 'StreamNotOpenError';
}

export interface AppendOptions {
  /** The same key is appended once, however often it is sent. */
  key: string;
  /** The attempt's fencing number; absent for the api, which decides by the database instead. */
  fence?: number;
}

/** Gives the position of the last one. */
export async function appendEvents(
  redis: Redis,
  operationId: string,
  bodies: EventBody[],
  { key, fence = 0 }: AppendOptions,
): Promise<number> {
  const { stream, seen, fence: fenceKey, unstored, wake } = keys;
  const places = [stream(operationId), seen(operationId), fenceKey(operationId), unstored, wake];
  // Where an event stands is decided here: an event of the record that is sent again leaves its old place behind.
  const texts = bodies.map((body) => JSON.stringify(eventBodySchema.parse(body)));
  const position = await redis.eval(
    appendScript,
    places.length,
    ...places,
    `key:${key}`,
    fence,
    new Date().toISOString(),
    operationId,
    ...texts,
  );
  if (position === -1)
    throw new FencedError(`operation ${operationId} has ended or is owned by a newer attempt than ${fence}`);
  if (position === -2)
    throw new StreamNotOpenError(`the event stream of operation ${operationId} is not in Redis`);
  return Number(position);
}

export interface OpenOptions {
  /** The last position that the database holds. */
  position: number;
  /** Whose stream it is from now on. */
  fence: number;
}

export async function openStream(
  redis: Redis,
  operationId: string,
  { position, fence }: OpenOptions,
): Promise<void> {
  const { seen, fence: fenceKey } = keys;
  await redis.eval(openScript, 2, fenceKey(operationId), seen(operationId), fence, position);
}

/** Whoever owns this number, or an older one, can no longer add to the record. */
export async function fenceOff(redis: Redis, operationId: string, fence: number): Promise<void> {
  await redis.eval(fenceScript, 1, keys.fence(operationId), fence + 1);
}

/** Nobody claims with this number. */
const sealed = Number.MAX_SAFE_INTEGER;

/** No attempt can add anything any more, whatever its number; the api still can. */
export async function sealStream(redis: Redis, operationId: string, position: number): Promise<void> {
  await openStream(redis, operationId, { position, fence: sealed });
}

/** What is only needed while there may be more to say; kept for a while, for what comes late. */
const afterEndSeconds = 7 * 24 * 3_600;

export async function closeStream(redis: Redis, operationId: string): Promise<void> {
  for (const key of [keys.seen(operationId), keys.fence(operationId)])
    await redis.expire(key, afterEndSeconds);
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
    const place = { operationId, position: Number.parseInt(id, 10), at: values.at };
    return eventSchema.parse({ ...JSON.parse(values.body ?? 'null'), ...place });
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
