/** A worker that dies after it found out what was red before: whoever goes on knows it from the record. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Platform, startPlatform } from '../support/platform.ts';
import { brokenSum, makeRepository } from '../support/repository.ts';

const note = conversation('note', [
  turn(call('write_file', { path: 'notes.md', content: 'A note.\n' })),
  turn(say('Add a note')),
]);

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform({
    conversations: [note],
    settings: { FETTLE_LEASE_SECONDS: '3' },
    workers: 0,
  });
});
afterAll(async () => platform?.close());

test('it is measured once, and not blamed on the change by the next attempt either', async () => {
  const repository = makeRepository(brokenSum);
  onTestFinished(repository.remove);
  const doomed = await platform.startWorker({ FETTLE_TEST_CRASH: 'base-measured' });
  const { id } = await platform.create({
    kind: 'implement',
    description: 'add a note',
    repository: repository.path,
  });
  expect((await doomed.exited).signal).toBe('SIGKILL');
  // So that nothing but the record can tell.
  rmSync(join(platform.home, 'base-checks'), { recursive: true });
  await platform.startWorker();
  const events = await platform.follow(id);
  const phases = events.flatMap((event) => (event.type === 'check.finished' ? [event.phase] : []));
  expect(phases).toEqual(['verify', 'base', 'verify', 'fresh']);
  expect(await platform.get(id)).toMatchObject({
    attempts: 2,
    outcome: { kind: 'proposal', draft: false },
  });
});
