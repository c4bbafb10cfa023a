/** The cost of reliability: recording, the delivery of events to followers, and the recovery from `kill -9`. */
import type { EventBody } from '@fettle/contract';
import { appendEvents, connectRedis, openStream, resyncStreams } from '@fettle/queue';
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { type Platform, startPlatform } from '../test/support/platform.ts';
import { readEventStream } from '../test/support/read-event-stream.ts';
import type { TestRepository } from '../test/support/repository.ts';
import { claim } from './claim.ts';

const part = (number: number): EventBody => ({
  type: 'part.finished',
  part: {
    ...{
      number,
      turn: number,
      kind: 'tool',
      callId: `call_${number}`,
      tool: 'read_file',
      input: { path: 'a' },
    },
    ...{ status: 'ok', output: 'x'.repeat(2_000), durationMs: 1, programMs: 0, changed: [] },
  },
});

/** Milliseconds per part, and for a plain XADD of the same bytes to the same Redis. */
export async function measureRecording(
  redisUrl: string,
  count: number,
): Promise<{ record: number[]; plain: number[] }> {
  const redis = connectRedis(redisUrl);
  const times = { record: [] as number[], plain: [] as number[] };
  const time = async (kind: 'record' | 'plain', work: () => Promise<unknown>) => {
    const startedAt = performance.now();
    await work();
    times[kind].push(performance.now() - startedAt);
  };
  try {
    await resyncStreams(redis, async () => {});
    await openStream(redis, 'op_bench', { position: 0, fence: 1 });
    for (let n = 1; n <= count; n++) {
      await time('record', () => appendEvents(redis, 'op_bench', [part(n)], { key: `1.${n}`, fence: 1 }));
      await time('plain', () => redis.xadd('bench', '*', 'body', JSON.stringify(part(n))));
    }
  } finally {
    await redis.del('fettle:events:op_bench', 'fettle:events:op_bench:seen', 'bench');
    await redis.srem('fettle:events:unstored', 'op_bench');
    redis.disconnect();
  }
  return times;
}

/** Events per second from a worker through Redis, Postgres and HTTP to a follower. */
export async function measureStream(repository: TestRepository, count: number): Promise<number> {
  const platform = await startPlatform({ conversations: [], workers: 0 });
  const redis = connectRedis(platform.redis.url);
  try {
    const { id } = await platform.create(repository.request('fix', 'none'));
    const fence = await claim(platform, id);
    const response = await platform.call('GET', `/v1/operations/${id}/events`);
    const followed = countNotices(response, count);
    const startedAt = performance.now();
    for (let n = 1; n <= count; n++) {
      const notice: EventBody = { type: 'notice', level: 'info', code: 'bench', message: `${n}` };
      await appendEvents(redis, id, [notice], { key: `${fence}.${n}`, fence });
    }
    await followed;
    return count / ((performance.now() - startedAt) / 1000);
  } finally {
    redis.disconnect();
    await platform.close();
  }
}

async function countNotices(response: Response, count: number): Promise<void> {
  let seen = 0;
  for await (const event of readEventStream(response)) {
    if (event.type === 'notice') seen += 1;
    if (seen === count) return;
  }
}

const errand = conversation('killed', [
  turn(call('read_file', { path: 'README.md' })),
  turn(call('run_command', { command: 'sleep 1000' })),
  turn(say('Done')),
]);

/** Seconds from `kill -9` of a worker in the middle of a command to the first new part of the next attempt. */
export async function measureTakeover(repository: TestRepository, rounds: number): Promise<number[]> {
  const platform = await startPlatform({ conversations: [errand], workers: 0 });
  const seconds: number[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      const doomed = await platform.startWorker();
      const { id } = await platform.create(repository.request('fix', 'x'));
      const response = await platform.call('GET', `/v1/operations/${id}/events`);
      let killedAt: number | undefined;
      let spare: Awaited<ReturnType<Platform['startWorker']>> | undefined;
      for await (const event of readEventStream(response)) {
        if (event.type === 'part.started' && event.part.tool === 'run_command') {
          spare = await platform.startWorker();
          killedAt = Date.now();
          await doomed.kill();
        }
        // The interrupted call is part 2, and later parts are new.
        if (killedAt !== undefined && event.type === 'part.finished' && event.part.number === 3)
          seconds.push((Date.parse(event.at) - killedAt) / 1000);
      }
      await spare?.kill();
    }
  } finally {
    await platform.close();
  }
  return seconds;
}
