/** A check that cannot fail proves nothing: each kind of damage is found. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Event, Operation } from '@fettle/contract';
import { connectRedis, openCodeQueue } from '@fettle/queue';
import { expect, test } from 'vitest';
import { openPlatform, openRepository } from '../../support/lifetime.ts';
import { checkAll } from './check-all.ts';
import { findPaidTwice, findRecordFaults } from './check-operation.ts';
import { errandConversations, errandFiles } from './errands.ts';
import { openRecords } from './records.ts';

const platform = await openPlatform({ conversations: errandConversations });
const repository = openRepository(errandFiles);
const { operation, events } = await platform.run(repository.request('fix', 'mend for soak-1'));
const { id } = operation;
await platform.worker.stop();
await platform.api.stop();

const check = (paid?: number) => {
  const { home, redis } = platform;
  const paidFor = paid === undefined ? {} : { paidFor: () => paid };
  return checkAll({ home, redisUrl: redis.url }, { home, ...paidFor });
};

test('nothing is wrong where nothing was done to it', async () => {
  expect(await check(4)).toEqual({ operations: 1, states: { awaiting_approval: 1 }, faults: [] });
});

test('reports an answer that was requested again although it is recorded', () => {
  const requests = platform.rehearsal.requests();
  expect(findPaidTwice(requests, 'mend for soak-1', events)).toEqual([]);
  const again = requests.map((request) => ({ ...request, receivedAtMs: Date.now() }));
  expect(findPaidTwice(again.slice(1, 2), 'mend for soak-1', events)).toEqual([
    expect.stringMatching(/^turn 2 was asked for .* ms after its answer was on record$/),
  ]);
});

test('a proposal that is cancelled is settled once more, and only once', () => {
  const cancelled: Operation = { ...operation, state: 'cancelled' };
  const next = { operationId: id, at: new Date().toISOString() };
  const moved: Event = {
    ...{ ...next, position: events.length + 1 },
    ...{ type: 'operation.state', from: 'awaiting_approval', to: 'cancelled' },
  };
  const settled: Event = {
    ...{ ...next, position: events.length + 2 },
    ...{ type: 'operation.settled', state: 'cancelled' },
    outcome: { kind: 'failure', reason: 'cancelled', message: 'Cancelled by somebody.' },
  };
  expect(findRecordFaults(cancelled, [...events, moved, settled])).toEqual([]);
  const twice = [...events, moved, settled, { ...settled, position: settled.position + 1 }];
  expect(findRecordFaults(cancelled, twice)).toEqual([
    `${id}: it was settled 3 times, and came to 2 states that settle it`,
  ]);
});

test('reports every kind of damage', async () => {
  const { home } = platform;
  const [branch = ''] = repository
    .git('for-each-ref', '--format=%(refname:short)', 'refs/heads/agent')
    .split('\n');
  repository.git('branch', 'agent/stray', branch);
  mkdirSync(join(home, 'sandboxes/sandbox-x'), { recursive: true });
  writeFileSync(join(home, 'mirrors/packed-refs.lock'), '');
  await damageRedis();
  await damageDatabase();
  const { faults } = await check(6);
  const told = faults.map((fault) =>
    fault.replaceAll(id, 'op').replaceAll(home, '').replaceAll(branch, 'one'),
  );
  expect(told).toEqual([
    'op: has a lease though nobody works on it',
    'op: has an attempt without an end',
    'op: has something in the outbox',
    'op: has a proposal that its pull request does not show',
    'op: its job op-9 is still prioritized',
    'op: Redis says that it has events which are not stored',
    'the sandbox sandbox-x was left behind',
    'the lock /mirrors/packed-refs.lock was left behind',
    expect.stringMatching(/^op: event \d+ stands at place \d+$/),
    expect.stringMatching(/^op: event 1001 stands at place \d+$/),
    'op: it was created 2 times',
    'op: it was settled 0 times',
    'op: it counts 104 parts, and 4 are on record',
    'op: it counts 104 turns, and 4 are on record',
    expect.stringMatching(/^op: it counts 1 tokens, and \d+ are on record$/),
    'op: its branches are one, agent/stray',
    'op: 6 answers were paid for, 4 are on record, at most 4',
    `${repository.path}: agent/stray belongs to no proposal`,
  ]);
});

async function damageRedis(): Promise<void> {
  const redis = connectRedis(platform.redis.url);
  const queue = openCodeQueue(redis);
  await queue.add({ operationId: id, attempt: 9, priority: 'low', notBefore: null });
  await redis.sadd('fettle:events:unstored', id);
  await queue.close();
  redis.disconnect();
}

async function damageDatabase(): Promise<void> {
  const records = await openRecords({ home: platform.home });
  await records.query(
    'UPDATE operation SET lease_expires_at = now(), total_parts = total_parts + 100, total_turns = total_turns + 100, total_tokens = 1',
  );
  await records.query('UPDATE attempt SET ended_at = NULL');
  await records.query(`UPDATE pull_request SET branch = 'another'`);
  await records.query(`UPDATE event SET position = 1000, type = 'notice',
    body = '{"type": "notice", "level": "info", "code": "x", "message": "x"}' WHERE type = 'operation.settled'`);
  await records.query(`INSERT INTO event (operation_id, position, at, type, body)
    SELECT operation_id, 1001, at, type, body FROM event WHERE type = 'operation.created'`);
  await records.query(`INSERT INTO outbox (operation_id, kind, payload, created_at)
    SELECT id, 'event', '{}', now() FROM operation`);
  await records.close();
}
