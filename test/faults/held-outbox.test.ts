/** What a newer version left in the outbox and this one cannot read holds back its own operation, and no other one. */
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { findPostgres, run, startPostgres } from '../../packages/database/src/testing/postgres-server.ts';
import { startPlatform } from '../support/platform.ts';
import { brokenSum, makeRepository } from '../support/repository.ts';
import { expectProposal } from './support/expect-proposal.ts';

const binaries = findPostgres();
const mend = conversation('mend', [
  turn(call('edit_file', { path: 'sum.mjs', edits: [{ old: 'a - b', new: 'a + b' }] })),
  turn(say('Mended')),
]);

test.skipIf(binaries === undefined)('an outbox entry that cannot be read', async () => {
  const postgres = await startPostgres(binaries as string);
  const url = await postgres.createDatabase();
  const platform = await startPlatform({
    conversations: [mend],
    settings: { DATABASE_URL: url },
    workers: 0,
  });
  const repository = makeRepository(brokenSum);
  const request = { kind: 'fix' as const, description: 'mend', repository: repository.path };
  try {
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
    expect(
      lines.filter((line) => line.includes('cannot be delivered') && line.includes(held.id)),
    ).toHaveLength(1);
    await run(url, `DELETE FROM outbox WHERE payload::text LIKE '%operation.praised%'`);
    await platform.follow(held.id);
    expect(await platform.get(held.id)).toMatchObject({ state: 'awaiting_approval' });
  } finally {
    await platform.close();
    repository.remove();
    await postgres.stop();
  }
});
