/** An outbox entry of a newer version that this one cannot read blocks its own operation and no other one. */
import { conversation, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { run } from '../../packages/database/src/testing/postgres-server.ts';
import { openPlatform, openPostgres, openRepository, postgresBinaries } from '../support/lifetime.ts';
import { repairSum } from '../support/repairs.ts';
import { brokenSum } from '../support/repository.ts';
import { expectProposal } from './support/expect-proposal.ts';

const mend = conversation('mend', [repairSum, turn(say('Mended'))]);

test.skipIf(postgresBinaries === undefined)('an outbox entry that cannot be read', async () => {
  const postgres = await openPostgres();
  const url = await postgres.createDatabase();
  const platform = await openPlatform({
    conversations: [mend],
    settings: { DATABASE_URL: url },
    workers: 0,
  });
  const repository = openRepository(brokenSum);
  const request = repository.request('fix', 'mend');
  const held = await platform.create(request);
  const unknown = `'${held.id}', 'event', '{"type":"operation.praised"}', now()`;
  await run(url, `INSERT INTO outbox (operation_id, kind, payload, created_at) VALUES (${unknown})`);
  await platform.call('POST', `/v1/operations/${held.id}/pause`);
  await platform.call('POST', `/v1/operations/${held.id}/resume`);
  const { id } = await platform.create(request);
  await platform.startWorker();
  await expectProposal(platform, repository, id);
  expect((await platform.get(held.id)).activity).toBe(
    'queued: waits for its job, which cannot be delivered (see the log of the api)',
  );
  const lines = platform.api.log().split('\n');
  expect(lines.filter((line) => line.includes('cannot be delivered') && line.includes(held.id))).toHaveLength(
    1,
  );
  await run(url, `DELETE FROM outbox WHERE payload::text LIKE '%operation.praised%'`);
  await platform.follow(held.id);
  expect(await platform.get(held.id)).toMatchObject({ state: 'awaiting_approval' });
});
