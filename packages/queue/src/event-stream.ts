/**
 * One Redis stream per operation. A script assigns the positions 1, 2, 3 … without gaps, so that followers can detect missing
 * events. The set `unstored` holds the operations with events that the api has not stored yet; an entry in the list `wake`
 * means that there is something to store.
 */
import { randomUUID } from 'node:crypto';
import { type Event, type EventBody, eventBodySchema, eventSchema } from '@fettle/contract';
import type { Redis } from 'ioredis';

const keys = {
  stream: (operationId: string) => `fettle:events:${operationId}`,
  /** The quarantine: events of an ended operation that could not be stored. */
  quarantined: (operationId: string) => `fettle:events:${operationId}:aside`,
  /** The keys of appended events, which make appending idempotent. */
  seen: (operationId: string) => `fettle:events:${operationId}:seen`,
  /** The highest fencing number seen. An owner with a lower number can no longer append. */
  fence: (operationId: string) => `fettle:events:${operationId}:fence`,
  /** The run id of the Redis process that the api has resynced with the database. */
  resynced: 'fettle:events:admitted',
  unstored: 'fettle:events:unstored',
  wake: 'fettle:events:wake',
};

/** Distinguishes keys from the field `position` of the same hash. */
const keyPrefix = 'key:';

/** A restarted Redis may have lost recent writes, or everything. */
const isResynced = `
local run = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
local resynced = redis.call('GET', KEYS[1]) == run`;

/** Returns the run id of Redis if it needs a resync, else an empty string. */
const beginResyncScript = `${isResynced}
if resynced then return '' end
redis.call('SET', KEYS[1], 'looking ' .. ARGV[1])
return run`;

/** Succeeds only if Redis lost nothing since this resync began. */
const endResyncScript = `
if redis.call('GET', KEYS[1]) ~= 'looking ' .. ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
return 1`;

/** Appends the whole batch or nothing, so that the record never holds half of a model's answer. */
const appendScript = `${isResynced}
if not resynced then
  if redis.call('EXISTS', KEYS[6]) == 0 then redis.call('LPUSH', KEYS[6], '1') end
  return -4
end
local known = redis.call('HGET', KEYS[3], ARGV[1])
if known then return tonumber(known) end
local position = redis.call('HGET', KEYS[3], 'position')
if not position then return -2 end
local fence = tonumber(ARGV[2])
if fence > 0 and fence < tonumber(redis.call('GET', KEYS[4]) or '0') then return -1 end
if ARGV[3] ~= '' and redis.call('HEXISTS', KEYS[3], ARGV[3]) == 0 then return -3 end
position = tonumber(position)
if #ARGV == 5 then return position end
for i = 6, #ARGV do
  position = position + 1
  redis.call('XADD', KEYS[2], position .. '-1', 'at', ARGV[4], 'key', ARGV[1], 'body', ARGV[i])
end
redis.call('HSET', KEYS[3], 'position', position, ARGV[1], position)
redis.call('SADD', KEYS[5], ARGV[5])
if redis.call('EXISTS', KEYS[6]) == 0 then redis.call('LPUSH', KEYS[6], '1') end
return position`;

/** Raises the fence: owners with a lower number can no longer append. */
const fenceScript = `
if tonumber(redis.call('GET', KEYS[1]) or '0') < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], ARGV[1]) end
return 1`;

/** Continues at the last position in the database and raises the fence. Returns how many events Redis had lost. */
const openScript = `
local position = tonumber(redis.call('HGET', KEYS[2], 'position') or '0')
local lost = math.max(tonumber(ARGV[2]) - position, 0)
redis.call('HSET', KEYS[2], 'position', position + lost)
if ARGV[3] ~= '' then redis.call('HSETNX', KEYS[2], ARGV[3], position + lost) end
${fenceScript.replace('return 1', 'return lost')}`;

/** Trims stored events. Removes the operation from `unstored` only if no event was added meanwhile. */
const storedScript = `
redis.call('XTRIM', KEYS[1], 'MINID', (tonumber(ARGV[1]) + 1) .. '-0')
if redis.call('XLEN', KEYS[1]) == 0 then redis.call('SREM', KEYS[2], ARGV[2]) end
return 1`;

/** Moves the stream out of the way and continues at the last position in the database. */
const quarantineScript = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('RENAME', KEYS[1], KEYS[2])
redis.call('EXPIRE', KEYS[2], ARGV[3])
redis.call('HSET', KEYS[3], 'position', ARGV[1])
redis.call('SREM', KEYS[4], ARGV[2])
return 1`;

/** The stream belongs to a newer attempt, or the operation has ended. */
export class FencedError extends Error {
  override name = 'FencedError';
}

/** Redis does not have the stream, or not the events of this attempt: it was never opened, or Redis lost data. */
export class StreamNotOpenError extends Error {
  override name = 'StreamNotOpenError';
}

/** Redis was restarted, and the api has not resynced it with the database yet. */
export class NotResyncedError extends Error {
  override name = 'NotResyncedError';
}

export interface AppendOptions {
  /** Appending the same key again has no effect. */
  key: string;
  /** The key that this attempt appended last, or that of its claim. If Redis lost it, nothing can be appended after it. */
  after?: string;
  /** The attempt's fencing number. Absent for the api, for which the database decides. */
  fence?: number;
}

/** Returns the position of the last event. Without bodies, only checks whether an append would succeed. */
export async function appendEvents(
  redis: Redis,
  operationId: string,
  bodies: EventBody[],
  { key, after, fence = 0 }: AppendOptions,
): Promise<number> {
  const { resynced, stream, seen, fence: fenceKey, unstored, wake } = keys;
  const places = [resynced, stream(operationId), seen(operationId), fenceKey(operationId), unstored, wake];
  // Parsing drops the position of an event that was read from a record: the script assigns a new one.
  const texts = bodies.map((body) => JSON.stringify(eventBodySchema.parse(body)));
  const position = await redis.eval(
    appendScript,
    places.length,
    ...places,
    keyPrefix + key,
    fence,
    after === undefined ? '' : keyPrefix + after,
    new Date().toISOString(),
    operationId,
    ...texts,
  );
  switch (position) {
    case -1:
      throw new FencedError(
        `operation ${operationId} has ended or is owned by a newer attempt than ${fence}`,
      );
    case -2:
      throw new StreamNotOpenError(`the event stream of operation ${operationId} is not in Redis`);
    case -3:
      throw new StreamNotOpenError(`Redis lost events of operation ${operationId}: ${after} is not there`);
    case -4:
      throw new NotResyncedError('Redis was restarted or lost its data, and the api has not resynced it yet');
    default:
      return Number(position);
  }
}

/**
 * Appends to a restarted Redis are refused until `resync` has raised every stream to the last position in the database.
 * Returns false if Redis was lost again meanwhile, and true at once if nothing is to be done.
 */
export async function resyncStreams(redis: Redis, resync: () => Promise<void>): Promise<boolean> {
  const name = randomUUID();
  const run = await redis.eval(beginResyncScript, 1, keys.resynced, name);
  if (run === '') return true;
  await resync();
  return (await redis.eval(endResyncScript, 1, keys.resynced, name, String(run))) === 1;
}

export interface OpenOptions {
  /** The last position in the database. */
  position: number;
  /** The fencing number of the new owner. */
  fence: number;
  /** Recorded as appended, so that events can name it in `after`. */
  key?: string;
}

/** The key that precedes the first events of an attempt. */
export function claimKey(fence: number): string {
  return `${fence}.0`;
}

/** Returns how many events of the stream Redis had lost. */
export async function openStream(
  redis: Redis,
  operationId: string,
  { position, fence, key }: OpenOptions,
): Promise<number> {
  const { seen, fence: fenceKey } = keys;
  const places = [fenceKey(operationId), seen(operationId)];
  const known = key === undefined ? '' : keyPrefix + key;
  return Number(await redis.eval(openScript, 2, ...places, fence, position, known));
}

/** The owner with this number, and all before it, can no longer append. */
export async function fenceOff(redis: Redis, operationId: string, fence: number): Promise<void> {
  await redis.eval(fenceScript, 1, keys.fence(operationId), fence + 1);
}

/** Does nothing if a newer owner raised the fence meanwhile. */
const lowerFenceScript = `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('SET', KEYS[1], ARGV[2]) end
return 1`;

/** Reverts `fenceOff`, for an operation that its owner keeps after all. */
export async function undoFenceOff(redis: Redis, operationId: string, fence: number): Promise<void> {
  await redis.eval(lowerFenceScript, 1, keys.fence(operationId), fence + 1, fence);
}

/** Higher than the number of any claim. */
const sealed = Number.MAX_SAFE_INTEGER;

/** No attempt can append any more. The api still can. */
export async function sealStream(redis: Redis, operationId: string, position: number): Promise<void> {
  await openStream(redis, operationId, { position, fence: sealed });
}

/** How long the keys of an ended operation are kept, for requests that arrive late. */
const afterEndSeconds = 7 * 24 * 3_600;

export async function closeStream(redis: Redis, operationId: string): Promise<void> {
  for (const key of [keys.seen(operationId), keys.fence(operationId)])
    await redis.expire(key, afterEndSeconds);
}

/** For a sealed stream whose events cannot be stored. They are kept for a while and no longer block the end of the operation. */
export async function quarantineStream(redis: Redis, operationId: string, position: number): Promise<void> {
  const { stream, quarantined, seen, unstored } = keys;
  const places = [stream(operationId), quarantined(operationId), seen(operationId), unstored];
  await redis.eval(quarantineScript, places.length, ...places, position, operationId, afterEndSeconds);
}

/** Events after a position, oldest first, and the keys with which they were appended. */
export async function readEvents(
  redis: Redis,
  operationId: string,
  after: number,
  limit: number,
): Promise<{ events: Event[]; keys: string[] }> {
  const rows = await redis.xrange(keys.stream(operationId), `${after + 1}-0`, '+', 'COUNT', limit);
  const read = rows.map(([id, fields]) => {
    const { at, key = keyPrefix, body = 'null' } = Object.fromEntries(pairs(fields));
    const place = { operationId, position: Number.parseInt(id, 10), at };
    return { event: eventSchema.parse({ ...JSON.parse(body), ...place }), key: key.slice(keyPrefix.length) };
  });
  return { events: read.map(({ event }) => event), keys: [...new Set(read.map(({ key }) => key))] };
}

export async function listUnstored(redis: Redis): Promise<string[]> {
  return redis.smembers(keys.unstored);
}

/** Waits until an operation has new events, up to the given time. The connection is blocked meanwhile. */
export async function awaitNewEvents(redis: Redis, seconds: number): Promise<void> {
  await redis.brpop(keys.wake, seconds);
}

export async function markStored(redis: Redis, operationId: string, position: number): Promise<void> {
  await redis.eval(storedScript, 2, keys.stream(operationId), keys.unstored, position, operationId);
}

function* pairs(flat: string[]): Generator<[string, string]> {
  for (let i = 0; i + 1 < flat.length; i += 2) yield [flat[i] as string, flat[i + 1] as string];
}
