/** A worker dies after it measured the checks of the base: the next one reads the result from the record. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { ofType } from '../support/events.ts';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import { brokenSum } from '../support/repository.ts';

const note = conversation('note', [
  turn(call('write_file', { path: 'notes.md', content: 'A note.\n' })),
  turn(say('Add a note')),
]);

const platform = await openPlatform({
  conversations: [note],
  settings: { FETTLE_LEASE_SECONDS: '3' },
  workers: 0,
});

test('the base is measured once, and its failures are not blamed on the change', async () => {
  const repository = openRepository(brokenSum);
  const doomed = await platform.startWorker({ FETTLE_TEST_CRASH: 'base-measured' });
  const { id } = await platform.create(repository.request('implement', 'add a note'));
  expect((await doomed.exited).signal).toBe('SIGKILL');
  // So that nothing but the record can tell.
  rmSync(join(platform.home, 'base-checks'), { recursive: true });
  await platform.startWorker();
  const events = await platform.follow(id);
  const phases = ofType(events, 'check.finished').map(({ phase }) => phase);
  expect(phases).toEqual(['verify', 'base', 'verify', 'fresh']);
  expect(await platform.get(id)).toMatchObject({
    attempts: 2,
    outcome: { kind: 'proposal', reason: 'unproven' },
  });
});
