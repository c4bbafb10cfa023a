/** An event that cannot be stored affects only its own operation, and a repeated push creates no such event. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectRedis } from '@fettle/queue';
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import { repairSum } from '../support/repairs.ts';
import { brokenSum, type TestRepository } from '../support/repository.ts';
import { findRecordFaults } from './support/check-operation.ts';
import { expectProposal } from './support/expect-proposal.ts';
import { until, untilActivity } from './support/observe.ts';

const slow = turn(call('run_command', { command: 'sleep 8' }));
const finish = turn(say('Mended'));

let repository: TestRepository;
const platform = await openPlatform({
  conversations: [
    conversation('slow', [repairSum, slow, finish], { match: 'slow', repeatOn: 'This call was interrupted' }),
    conversation('mend', [repairSum, finish]),
  ],
  settings: { FETTLE_LEASE_SECONDS: '2' },
  workers: 0,
});

const request = (description: string) => repository.request('fix', description);

/** An operation whose worker died after it recorded the commit. */
async function leaveCommit(point: string): Promise<string> {
  repository = openRepository(brokenSum);
  const worker = await platform.startWorker({ FETTLE_TEST_CRASH: point });
  const { id } = await platform.create(request('mend'));
  await worker.exited;
  return id;
}

test('the branch name is taken when the push is repeated: the new name is recorded', async () => {
  const id = await leaveCommit('commit-recorded');
  const place = join(repository.path, '.git/refs/heads/agent');
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, `${id.replace('_', '-')}-mend.lock`), '');
  const worker = await platform.startWorker();
  const { operation } = await expectProposal(platform, repository, id);
  expect(operation.outcome).toMatchObject({ branch: expect.stringMatching(/-[0-9a-z]{6}$/) });
  await worker.stop();
  repository.remove();
});

test('a pushed branch that a person continued is kept, and no other one is created', async () => {
  const id = await leaveCommit('after-push');
  const [branch = ''] = repository
    .git('for-each-ref', '--format=%(refname:short)', 'refs/heads/agent')
    .split('\n');
  const theirs = repository.git('commit-tree', `${branch}^{tree}`, '-p', branch, '-m', 'by a person');
  repository.git('update-ref', `refs/heads/${branch}`, theirs);
  const worker = await platform.startWorker();
  const events = await platform.follow(id);
  const operation = await platform.get(id);
  expect(findRecordFaults(operation, events)).toEqual([]);
  expect(operation.outcome).toMatchObject({ kind: 'proposal', draft: false, branch });
  expect(repository.git('for-each-ref', '--format=%(refname:short)', 'refs/heads/agent')).toBe(branch);
  expect(repository.git('rev-parse', branch)).toBe(theirs);
  await worker.stop();
  repository.remove();
});

test.each([
  ['read', { at: 'never', body: '{"type":"nonsense"}' }],
  [
    'kept by Postgres',
    {
      at: '2026-11-16T01:02:03.004Z',
      body: '{"type":"part.started","part":{"kind":"tool","number":3000000000,"turn":1,"callId":"c","tool":"t","input":{}}}',
    },
  ],
])(
  'an operation whose events cannot be %s and whose worker is lost delays no other operation',
  async (_how, { at, body }) => {
    repository = openRepository(brokenSum);
    const worker = await platform.startWorker();
    const jammed = await platform.create(request('slow one'));
    const other = await platform.create(request('slow two'));
    for (const { id } of [jammed, other]) await untilActivity(platform, id, /run_command/);
    const redis = connectRedis(platform.redis.url);
    const stream = `fettle:events:${jammed.id}`;
    const position = await redis.hincrby(`${stream}:seen`, 'position', 1);
    await redis.xadd(stream, `${position}-1`, 'at', at, 'body', body);
    await redis.sadd('fettle:events:unstored', jammed.id);
    await worker.kill();
    const successor = await platform.startWorker();
    await expectProposal(platform, repository, other.id);
    const ready = await fetch(`${platform.url}/readyz`);
    expect({ status: ready.status, body: await ready.json() }).toMatchObject({
      status: 200,
      body: { notes: ['operations whose events cannot be stored (see the log of the api): 1'] },
    });
    const lines = platform.api.log().split('\n');
    const said = lines.filter((line) => line.includes('cannot be stored') && line.includes(jammed.id)).length;
    expect(said).toBe(1);
    expect(await redis.xlen(stream)).toBeGreaterThan(0);
    const { state, attempts } = await platform.get(jammed.id);
    expect(state === 'queued' || attempts > 1).toBe(true);

    await platform.call('POST', `/v1/operations/${jammed.id}/cancel`);
    const events = await platform.follow(jammed.id);
    const faults = findRecordFaults(await platform.get(jammed.id), events);
    // Moves that came after what cannot be read are kept beside the record.
    expect(faults.filter((fault) => !fault.includes('it moved from'))).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: 'operation.settled', state: 'cancelled' });
    expect(await redis.xlen(`${stream}:aside`)).toBeGreaterThan(0);
    await until('no note', async () => {
      const { notes } = (await (await fetch(`${platform.url}/readyz`)).json()) as { notes: string[] };
      return notes.length === 0;
    });
    redis.disconnect();
    await successor.stop();
    repository.remove();
  },
);
