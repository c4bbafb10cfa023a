/** An operation waits for a repository that is unavailable. A repeated request returns the operation nevertheless. */
import { renameSync } from 'node:fs';
import { conversation, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import { repairSum } from '../support/repairs.ts';
import { brokenSum } from '../support/repository.ts';
import { expectProposal } from './support/expect-proposal.ts';
import { untilActivity } from './support/observe.ts';

const mend = conversation('mend', [repairSum, turn(say('Mended'))]);

const platform = await openPlatform({ conversations: [mend], workers: 0 });
const repository = openRepository(brokenSum);

async function ask(description: string) {
  const body = repository.request('fix', description);
  const headers = { 'idempotency-key': 'one' };
  const response = await platform.call('POST', '/v1/operations', { body, headers });
  return { status: response.status, body: (await response.json()) as { id: string } };
}

test('a repository that is unavailable for a while', async () => {
  const { id } = (await ask('mend')).body;
  const away = `${repository.path}-away`;
  renameSync(repository.path, away);
  try {
    expect(await ask('mend')).toMatchObject({ status: 200, body: { id } });
    expect(await ask('something else')).toMatchObject({ status: 409 });
    await platform.startWorker();
    await untilActivity(platform, id, /waits for its next attempt/);
  } finally {
    renameSync(away, repository.path);
  }
  const { events } = await expectProposal(platform, repository, id);
  const reasons = events.flatMap((event) => (event.type === 'operation.state' ? (event.reason ?? []) : []));
  expect(new Set(reasons)).toEqual(new Set(['repository_unreachable']));
});
