/**
 * One Redis stream per operation. Positions are 1, 2, 3 … without a gap, given out by the script below, so that
 * whoever follows can tell that nothing is missing. Operations with events that the api has not stored yet are
 * in the set `unstored`; an entry in the list `wake` says that there is something to do.
 */
import { randomUUID } from 'node:crypto';
import { type Event, type EventBody, eventBodySchema, eventSchema } from '@fettle/contract';
import type { Redis } from 'ioredis';

const keys = {
  stream: (operationId: string) => `fettle:events:${operationId}`,
  /** What could not be stored of an operation that has ended. */
  aside: (operationId: string) => `fettle:events:${operationId}:aside`,
  /** Keys of events already appended, so that sending one twice adds it once. */
  seen: (operationId: string) => `fettle:events:${operationId}:seen`,
  /** The highest fencing number seen: an older owner can no longer add to the record. */
  fence: (operationId: string) => `fettle:events:${operationId}:fence`,
  /** Which run of Redis the api has compared with the database. */
  admitted: 'fettle:events:admitted',
  unstored: 'fettle:events:unstored',
  wake: 'fettle:events:wake',
};

/** Tells a key from `position` where both are kept. */
const keyMark = 'key:';

/** Another run of Redis may know less than the one before, and one that lost everything knows nothing. */
const isAdmitted = `
local run = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
local admitted = redis.call('GET', KEYS[1]) == run`;

/** Says first whether, and then under which name a new look may be ended. */
const beginAdmissionScript = `${isAdmitted}
if admitted then return '' end
redis.call('SET', KEYS[1], 'looking ' .. ARGV[1])
return run`;

/** Only where nothing was lost since the look began. */
const endAdmissionScript = `
if redis.call('GET', KEYS[1]) ~= 'looking ' .. ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
return 1`;

/** All of a batch or nothing: an answer of the model is on record whole, or it was never given. */
const appendScript = `${isAdmitted}
if not admitted then
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

/** Lets nobody write any more who is older than the fence. */
const fenceScript = `
if tonumber(redis.call('GET', KEYS[1]) or '0') < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], ARGV[1]) end
return 1`;

/** Goes on where the database ends, for nobody who is older than the fence. Gives how many events Redis had lost. */
const openScript = `
local position = tonumber(redis.call('HGET', KEYS[2], 'position') or '0')
local lost = math.max(tonumber(ARGV[2]) - position, 0)
redis.call('HSET', KEYS[2], 'position', position + lost)
if ARGV[3] ~= '' then redis.call('HSETNX', KEYS[2], ARGV[3], position + lost) end
${fenceScript.replace('return 1', 'return lost')}`;

/** Trims what is stored, and forgets the operation only if nothing came in the meantime. */
const storedScript = `
redis.call('XTRIM', KEYS[1], 'MINID', (tonumber(ARGV[1]) + 1) .. '-0')
if redis.call('XLEN', KEYS[1]) == 0 then redis.call('SREM', KEYS[2], ARGV[2]) end
return 1`;

/** The stream goes on where the database ends, and what was in it is kept beside it. */
const putAsideScript = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('RENAME', KEYS[1], KEYS[2])
redis.call('EXPIRE', KEYS[2], ARGV[3])
redis.call('HSET', KEYS[3], 'position', ARGV[1])
redis.call('SREM', KEYS[4], ARGV[2])
return 1`;

/** The stream belongs to a newer attempt, or to none any more. */
export class FencedError extends Error {
  override name = 'FencedError';
}

/** Redis does not know the stream, or not what this attempt has in it: it was never opened, or Redis lost data. */
export class StreamNotOpenError extends Error {
  override name = 'StreamNotOpenError';
}

/** The api has not yet compared this run of Redis with the database; it will. */
export class NotAdmittedError extends Error {
  override name = 'NotAdmittedError';
}

export interface AppendOptions {
  /** The same key is appended once, however often it is sent. */
  key: string;
  /** The key of what this attempt appended last, or of its claim: where Redis lost that, nothing can follow it. */
  after?: string;
  /** The attempt's fencing number; absent for the api, which decides by the database instead. */
  fence?: number;
}

/** Gives the position of the last one. Without bodies it only finds out whether they could be appended. */
export async function appendEvents(
  redis: Redis,
  operationId: string,
  bodies: EventBody[],
  { key, after, fence = 0 }: AppendOptions,
): Promise<number> {
  const { admitted, stream, seen, fence: fenceKey, unstored, wake } = keys;
  const places = [admitted, stream(operationId), seen(operationId), fenceKey(operationId), unstored, wake];
  // Where an event stands is decided here: an event of the record that is sent again leaves its old place behind.
  const texts = bodies.map((body) => JSON.stringify(eventBodySchema.parse(body)));
  const position = await redis.eval(
    appendScript,
    places.length,
    ...places,
    keyMark + key,
    fence,
    after === undefined ? '' : keyMark + after,
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
      throw new NotAdmittedError('Redis was started anew or lost its data, and the api has not looked yet');
    default:
      return Number(position);
  }
}

/**
 * Nothing is appended to a run of Redis before `compare` has raised every stream to what the database holds. Gives
 * false where Redis was lost once more meanwhile, and true at once where it has been done.
 */
export async function admitStreams(redis: Redis, compare: () => Promise<void>): Promise<boolean> {
  const name = randomUUID();
  const run = await redis.eval(beginAdmissionScript, 1, keys.admitted, name);
  if (run === '') return true;
  await compare();
  return (await redis.eval(endAdmissionScript, 1, keys.admitted, name, String(run))) === 1;
}

export interface OpenOptions {
  /** The last position that the database holds. */
  position: number;
  /** Whose stream it is from now on. */
  fence: number;
  /** Known from now on, so that something can come after it. */
  key?: string;
}

/** What the first events of an attempt come after. */
export function claimKey(fence: number): string {
  return `${fence}.0`;
}

/** Gives how many events Redis had lost of it. */
export async function openStream(
  redis: Redis,
  operationId: string,
  { position, fence, key }: OpenOptions,
): Promise<number> {
  const { seen, fence: fenceKey } = keys;
  const places = [fenceKey(operationId), seen(operationId)];
  const known = key === undefined ? '' : keyMark + key;
  return Number(await redis.eval(openScript, 2, ...places, fence, position, known));
}

/** Whoever owns this number, or an older one, can no longer add to the record. */
export async function fenceOff(redis: Redis, operationId: string, fence: number): Promise<void> {
  await redis.eval(fenceScript, 1, keys.fence(operationId), fence + 1);
}

/** It was not taken from its owner after all. Does nothing where somebody came in between. */
const letOnScript = `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('SET', KEYS[1], ARGV[2]) end
return 1`;

export async function letOnAgain(redis: Redis, operationId: string, fence: number): Promise<void> {
  await redis.eval(letOnScript, 1, keys.fence(operationId), fence + 1, fence);
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

/** For a sealed stream whose events cannot be stored: they are kept for a while, out of the way of its end. */
export async function putStreamAside(redis: Redis, operationId: string, position: number): Promise<void> {
  const { stream, aside, seen, unstored } = keys;
  const places = [stream(operationId), aside(operationId), seen(operationId), unstored];
  await redis.eval(putAsideScript, places.length, ...places, position, operationId, afterEndSeconds);
}

/** Events after a position, oldest first, and the keys under which they were appended. */
export async function readEvents(
  redis: Redis,
  operationId: string,
  after: number,
  limit: number,
): Promise<{ events: Event[]; keys: string[] }> {
  const rows = await redis.xrange(keys.stream(operationId), `${after + 1}-0`, '+', 'COUNT', limit);
  const read = rows.map(([id, fields]) => {
    const { at, key = keyMark, body = 'null' } = Object.fromEntries(pairs(fields));
    const place = { operationId, position: Number.parseInt(id, 10), at };
    return { event: eventSchema.parse({ ...JSON.parse(body), ...place }), key: key.slice(keyMark.length) };
  });
  return { events: read.map(({ event }) => event), keys: [...new Set(read.map(({ key }) => key))] };
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
