/** Stored checkpoints are damaged while the machine of their worker is gone: the operation ends soon, and says why. */
import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFolder, openPlatform, openRepository } from '../support/lifetime.ts';
import { walk, walkFiles } from './support/walk.ts';

const platform = await openPlatform({
  conversations: [walk],
  settings: { FETTLE_LEASE_SECONDS: '3' },
  workers: 0,
});

const damages: Record<string, (path: string) => void> = {
  'an empty file': (path) => writeFileSync(path, ''),
  'half of a file': (path) => truncateSync(path, Math.floor(readFileSync(path).length / 2)),
  'other bytes': (path) => writeFileSync(path, Buffer.alloc(5_000, 7)),
  'zeros of the same size': (path) => writeFileSync(path, Buffer.alloc(readFileSync(path).length)),
  'a folder': (path) => {
    rmSync(path);
    mkdirSync(path);
  },
  'no file': (path) => rmSync(path),
};

test.each(Object.entries(damages))('%s', async (name, damage) => {
  const repository = openRepository(walkFiles);
  const machine = openFolder('fettle-machine');
  const doomed = await platform.startWorker({ FETTLE_TEST_CRASH: 'part-finished:7', FETTLE_HOME: machine });
  const { id } = await platform.create(repository.request('fix', `walk with ${name}`));
  expect((await doomed.exited).signal).toBe('SIGKILL');
  rmSync(machine, { recursive: true });
  const folder = join(platform.home, 'checkpoints', id);
  const stored = readdirSync(folder);
  expect(stored.length).toBeGreaterThan(0);
  for (const file of stored) damage(join(folder, file));
  const worker = await platform.startWorker({ FETTLE_HOME: openFolder('fettle-machine') });
  await platform.follow(id);
  // An attempt that fails for other reasons is repeated with growing pauses.
  expect(await platform.get(id)).toMatchObject({
    attempts: 2,
    outcome: { reason: 'checkpoint_lost', message: expect.stringContaining('not stored, or is damaged') },
  });
  if (name === 'a folder') expect(platform.api.log()).toContain('a stored checkpoint cannot be read');
  // Not killed: git may still be tidying up the mirror in the folder that the test removes.
  await worker.stop();
});
