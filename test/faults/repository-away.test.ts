/** A repository that is away when its operation begins is waited for; who asks again for the operation gets it all the same. */
import { renameSync } from 'node:fs';
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Platform, startPlatform } from '../support/platform.ts';
import { brokenSum, makeRepository, type TestRepository } from '../support/repository.ts';
import { expectProposal } from './support/expect-proposal.ts';
import { untilActivity } from './support/observe.ts';

const mend = conversation('mend', [
  turn(call('edit_file', { path: 'sum.mjs', edits: [{ old: 'a - b', new: 'a + b' }] })),
  turn(say('Mended')),
]);

let platform: Platform;
let repository: TestRepository;
beforeAll(async () => {
  platform = await startPlatform({ conversations: [mend], workers: 0 });
  repository = makeRepository(brokenSum);
});
afterAll(async () => {
  await platform?.close();
  repository?.remove();
});

async function ask(description: string) {
  const body = { kind: 'fix', description, repository: repository.path };
  const headers = { 'idempotency-key': 'one' };
  const response = await platform.call('POST', '/v1/operations', { body, headers });
  return { status: response.status, body: (await response.json()) as { id: string } };
}

test('a repository that is away for a while', async () => {
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
