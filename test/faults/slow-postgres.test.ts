/** Postgres answers slowly: a worker whose heartbeats take longer than a lease does not count as lost. */
import { setTimeout as sleep } from 'node:timers/promises';
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { startRelay } from '../../packages/database/src/testing/relay.ts';
import { atEnd, openPlatform, openPostgres, openRepository, postgresBinaries } from '../support/lifetime.ts';
import { repairSum } from '../support/repairs.ts';
import { brokenSum } from '../support/repository.ts';
import { expectProposal } from './support/expect-proposal.ts';
import { untilActivity } from './support/observe.ts';

const rests = Array.from({ length: 25 }, (_, index) =>
  turn(call('run_command', { command: `sleep 0.${index + 500}` })),
);
const steady = conversation('steady', [repairSum, ...rests, turn(say('Mended'))]);

test.skipIf(postgresBinaries === undefined)(
  'a living worker keeps its operation',
  async () => {
    const postgres = await openPostgres();
    const relay = await startRelay(await postgres.createDatabase());
    atEnd(relay.close);
    const settings = { DATABASE_URL: relay.url, FETTLE_LEASE_SECONDS: '2', FETTLE_RATE_LIMIT: '100000' };
    const platform = await openPlatform({ conversations: [steady], settings });
    const repository = openRepository(brokenSum);
    const { id } = await platform.create(repository.request('fix', 'make add add'));
    await untilActivity(platform, id, /part 3, run_command/);
    // Each query takes 0.4 s, and a sign of life four of them.
    relay.delayBy(200);
    await sleep(15_000);
    relay.delayBy(0);
    const { operation } = await expectProposal(platform, repository, id);
    expect(operation.attempts).toBe(1);
  },
  90_000,
);
