/** A full or read-only disk is reported in a clear sentence, and nothing is damaged. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Event } from '@fettle/contract';
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { expect, test, vi } from 'vitest';
import { toolParts } from '../support/events.ts';
import { atEnd, openFolder, openPlatform, openRepository } from '../support/lifetime.ts';
import type { Platform } from '../support/platform.ts';
import { findFaults } from './support/check-operation.ts';
import { untilActivity } from './support/observe.ts';

const fettle = resolve(import.meta.dirname, '../../node_modules/.bin/fettle');
const folder = openFolder('full-disk');

function tryMount(name: string, options: string): string | undefined {
  return tryMountAt(join(folder, name), options);
}

function tryMountAt(place: string, options: string): string | undefined {
  mkdirSync(place, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', place], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  // Lazily: what the test opened may still use it.
  atEnd(() => execFileSync('umount', ['--lazy', place]));
  return place;
}

function startOn(home: string, words = ['up', '--port', '0']): { status: number | null; said: string } {
  const environment = { ...process.env, FETTLE_HOME: home, ANTHROPIC_API_KEY: 'none' };
  const { status, stderr } = spawnSync(fettle, words, {
    env: environment,
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { status, said: stderr };
}

test('a read-only home is named at the start', ({ skip }) => {
  const home = tryMount('read-only', 'size=1m,ro');
  if (!home) return skip('no right to mount a small file system');
  const { status, said } = startOn(home);
  expect(status).not.toBe(0);
  expect(said).toContain(home);
  expect(said).toContain('the file system is read-only');
  expect(said).toContain('Set FETTLE_HOME to a folder that you can write to');
  expect(said).not.toContain('    at ');
});

test('a full home is named at the start', ({ skip }) => {
  const home = tryMount('small', 'size=20m');
  if (!home) return skip('no right to mount a small file system');
  const { status, said } = startOn(home);
  expect(status).not.toBe(0);
  expect(said).toMatch(/FETTLE_HOME: (no space left on the disk|the disk cannot be read or written)/);
  expect(said).not.toContain('    at ');
});

test.for([
  ['is full', 'no space left on the disk', 'Free some space on that disk'],
  ['became read-only', 'the file system is read-only', 'Set FETTLE_HOME to a folder'],
])(
  'a home that was used before and %s: one sentence, and nothing is left',
  ([what = '', why = '', advice = ''], { skip }) => {
    const home = tryMount(what, 'size=1m');
    if (!home) return skip('no right to mount a small file system');
    mkdirSync(join(home, 'run'));
    if (what === 'is full') fill(home);
    else execFileSync('mount', ['-o', 'remount,ro', home]);
    for (const words of [['up', '--port', '0'], ['operations'], ['run', 'ask', 'why?', '--repo', folder]]) {
      const { status, said } = startOn(home, words);
      expect(status).toBe(4);
      expect(said.split('\n')).toEqual([
        `fettle: ${home} cannot be written: ${why}`,
        expect.stringContaining(advice),
        '',
      ]);
      expect(readdirSync(join(home, 'run'))).toEqual([]);
    }
  },
);

const files = Array.from({ length: 6 }, (_, n) => n);
const slow = conversation(
  'slow',
  [
    ...files.flatMap((n) => [
      turn(call('write_file', { path: `f${n}.txt`, content: `${n}\n` })),
      turn(call('run_command', { command: 'sleep 1' })),
    ]),
    turn(say('Six files')),
  ],
  { repeatOn: 'This call was interrupted' },
);

test('a disk that fills up during the work: the operation waits, says so, and continues when there is space', async ({
  skip,
}) => {
  const place = tryMount('filling', 'size=300m');
  if (!place) return skip('no right to mount a small file system');
  const repository = openRepository({ 'README.md': 'one\n' });
  vi.stubEnv('TMPDIR', place);
  atEnd(() => vi.unstubAllEnvs());
  const platform = await openPlatform({
    conversations: [slow],
    settings: { FETTLE_LEASE_SECONDS: '3' },
  });
  const { id } = await platform.create(repository.request('implement', 'slow'));
  await expect
    .poll(async () => (await platform.get(id)).totals.turns, { timeout: 60_000 })
    .toBeGreaterThan(2);
  fill(place);
  await new Promise((resolve) => setTimeout(resolve, 8_000));
  const ready = await fetch(`${platform.url}/readyz`);
  expect(ready.status).toBe(503);
  const why = expect.stringMatching(/refuses writes: .*No space left on device/);
  expect(await ready.json()).toMatchObject({ error: { code: 'unavailable', message: why } });
  rmSync(join(place, 'filler'));
  const events = await platform.follow(id);
  const operation = await platform.get(id);
  expect(findFaults(operation, events, repository)).toEqual([]);
  expect(operation.outcome).toMatchObject({ kind: 'proposal', reason: 'unproven' });
  const { headCommit } = operation.outcome as { headCommit: string };
  const tree = repository.git('ls-tree', '--name-only', headCommit).split('\n');
  // What could not be written was told to the model as that; what was said to be written is there.
  expect(tree).toEqual(['README.md', ...writtenFiles(events)]);
});

const quick = conversation('quick', [
  turn(call('write_file', { path: 'note.txt', content: 'one\n' })),
  turn(say('A note')),
]);
const untilWaiting = (platform: Platform, id: string) =>
  untilActivity(platform, id, /queued: waits for its next attempt/);

/** Why the operation was queued again. */
const reasonsOf = (events: Event[]) =>
  events.flatMap((event) =>
    event.type === 'operation.state' && event.to === 'queued' && event.reason ? [event.reason] : [],
  );

test('no space for the mirror: the operation is queued again, and continues when there is space', async ({
  skip,
}) => {
  const platform = await openPlatform({ conversations: [quick], workers: 0 });
  const repository = openRepository({ 'README.md': 'one\n' });
  const place = join(platform.home, 'mirrors');
  if (!tryMountAt(place, 'size=1m')) return skip('no right to mount a small file system');
  fill(place);
  await platform.startWorker();
  const { id } = await platform.create(repository.request('implement', 'quick'));
  await untilWaiting(platform, id);
  rmSync(join(place, 'filler'));
  const events = await platform.follow(id);
  const operation = await platform.get(id);
  expect(operation.outcome).toMatchObject({ kind: 'proposal', reason: 'unproven' });
  expect(new Set(reasonsOf(events))).toEqual(new Set(['disk_full']));
});

test('no space in the repository at the push: the same commit is pushed when there is space', async ({
  skip,
}) => {
  const place = tryMount('target', 'size=2m');
  if (!place) return skip('no right to mount a small file system');
  const repository = openRepository({ 'README.md': 'one\n' });
  const target = join(place, 'repository');
  cpSync(repository.path, target, { recursive: true });
  const platform = await openPlatform({ conversations: [quick], workers: 0 });
  const hold = join(platform.home, 'hold');
  await platform.startWorker({ FETTLE_TEST_CRASH: 'before-push', FETTLE_TEST_HOLD: hold });
  const { id } = await platform.create({ ...repository.request('implement', 'quick'), repository: target });
  await expect.poll(() => existsSync(hold), { timeout: 60_000 }).toBe(true);
  fill(place);
  writeFileSync(`${hold}.off`, '');
  rmSync(hold);
  await untilWaiting(platform, id);
  rmSync(join(place, 'filler'));
  const events = await platform.follow(id);
  const operation = await platform.get(id);
  expect(operation.outcome).toMatchObject({ kind: 'proposal', reason: 'unproven' });
  const { headCommit, branch } = operation.outcome as { headCommit: string; branch: string };
  const refs = ['for-each-ref', '--format=%(objectname) %(refname:short)', 'refs/heads/agent'];
  const listed = execFileSync('git', ['-C', target, ...refs], { encoding: 'utf8' });
  expect(listed).toBe(`${headCommit} ${branch}\n`);
  expect(new Set(reasonsOf(events))).toEqual(new Set(['disk_full']));
  expect(platform.rehearsal.requests()).toHaveLength(operation.totals.turns);
});

function writtenFiles(events: Event[]): string[] {
  const ok = toolParts(events).filter(({ status }) => status === 'ok');
  const written = ok.flatMap(({ changed }) => changed.map(({ path }) => path));
  return [...new Set(written)].toSorted();
}

function fill(place: string): void {
  const { bavail, bsize } = statfsSync(place);
  try {
    writeFileSync(join(place, 'filler'), Buffer.alloc(bavail * bsize + 1_000_000));
  } catch {
    // It took what there was.
  }
}
