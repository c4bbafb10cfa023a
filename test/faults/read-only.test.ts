/** Postgres refuses writes just before a proposal is settled: this is reported, and the proposal waits. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { conversation, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { openPlatform, openPostgres, openRepository, postgresBinaries } from '../support/lifetime.ts';
import { repairSum } from '../support/repairs.ts';
import { brokenSum } from '../support/repository.ts';
import { expectProposal } from './support/expect-proposal.ts';
import { until } from './support/observe.ts';

const mend = conversation('mend', [repairSum, turn(say('Mended'))]);

test.skipIf(postgresBinaries === undefined)('Postgres is read-only for a while', async () => {
  const postgres = await openPostgres();
  const platform = await openPlatform({
    conversations: [mend],
    settings: { DATABASE_URL: await postgres.createDatabase(), FETTLE_LEASE_SECONDS: '2' },
    workers: 0,
  });
  const repository = openRepository(brokenSum);
  const request = repository.request('fix', 'mend');
  const askReady = async () => {
    const response = await fetch(`${platform.url}/readyz`);
    return { status: response.status, text: await response.text() };
  };
  const hold = join(platform.home, 'hold');
  await platform.startWorker({ FETTLE_TEST_CRASH: 'before-settle', FETTLE_TEST_HOLD: hold });
  const { id } = await platform.create(request);
  await until('before the settle', () => existsSync(hold));
  await postgres.setReadOnly('on');
  await until('not ready', async () => (await askReady()).status === 503);
  expect((await askReady()).text).toContain('the database refuses writes: cannot execute UPDATE');
  writeFileSync(`${hold}.off`, '');
  rmSync(hold);
  const refused = await platform.call('POST', '/v1/operations', { body: request });
  expect({ status: refused.status, body: await refused.json() }).toMatchObject({
    status: 503,
    body: { error: { code: 'unavailable', message: 'the database refuses writes' } },
  });
  await sleep(4_000);
  await postgres.setReadOnly('off');
  const { operation } = await expectProposal(platform, repository, id);
  expect(operation).toMatchObject({ state: 'awaiting_approval', attempts: 1 });
  await until('ready', async () => (await askReady()).status === 200);
});
