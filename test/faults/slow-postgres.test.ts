/** A Postgres that answers, and slowly: a worker whose signs of life take longer than a lease is no dead one. */
import { setTimeout as sleep } from 'node:timers/promises';
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { findPostgres, startPostgres } from '../../packages/database/src/testing/postgres-server.ts';
import { startRelay } from '../../packages/database/src/testing/relay.ts';
import { startPlatform } from '../support/platform.ts';
import { brokenSum, makeRepository } from '../support/repository.ts';
import { expectProposal } from './support/expect-proposal.ts';
import { untilActivity } from './support/observe.ts';

const binaries = findPostgres();
const mend = turn(call('edit_file', { path: 'sum.mjs', edits: [{ old: 'a - b', new: 'a + b' }] }));
const rests = Array.from({ length: 25 }, (_, index) =>
  turn(call('run_command', { command: `sleep 0.${index + 500}` })),
);
const steady = conversation('steady', [mend, ...rests, turn(say('Mended'))]);

test.skipIf(binaries === undefined)(
  'nothing is taken from a living worker',
  async () => {
    const postgres = await startPostgres(binaries as string);
    const relay = await startRelay(await postgres.createDatabase());
    const settings = { DATABASE_URL: relay.url, FETTLE_LEASE_SECONDS: '2', FETTLE_RATE_LIMIT: '100000' };
    const platform = await startPlatform({ conversations: [steady], settings });
    const repository = makeRepository(brokenSum);
    try {
      const request = { description: 'make add add', repository: repository.path };
      const { id } = await platform.create({ kind: 'fix', ...request });
      await untilActivity(platform, id, /part 3, run_command/);
      // Each query takes 0.4 s, and a sign of life four of them.
      relay.delayBy(200);
      await sleep(15_000);
      relay.delayBy(0);
      const { operation } = await expectProposal(platform, repository, id);
      expect(operation.attempts).toBe(1);
    } finally {
      await platform.close();
      await relay.close();
      await postgres.stop();
      repository.remove();
    }
  },
  90_000,
);
