import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, conversation, type Rehearsal, say, startRehearsal, turn } from '@fettle/rehearsal';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { openFolder, openRepository } from '../src/testing/open-folder.ts';
import { runFettle, startFettle } from '../src/testing/run-fettle.ts';

let home: string;
let rehearsal: Rehearsal | undefined;
beforeEach(() => {
  home = openFolder();
});
afterEach(async () => {
  await rehearsal?.close();
  rehearsal = undefined;
});

const day = 24 * 3_600_000;

function write(path: string, { age = 0, bytes = 20_000 } = {}): void {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, 'x'.repeat(bytes));
  const at = new Date(Date.now() - age);
  utimesSync(file, at, at);
  // A folder is as old as what is in it.
  for (let each = dirname(file); each !== home; each = dirname(each)) utimesSync(each, at, at);
}

const has = (path: string) => existsSync(join(home, path));
const settings = () => ({
  FETTLE_HOME: home,
  FETTLE_SANDBOX: 'process',
  ...(rehearsal && { ANTHROPIC_BASE_URL: rehearsal.url }),
});

async function prune(...args: string[]) {
  const { exitCode, stdout, stderr } = await runFettle(['prune', '--json', ...args], settings());
  expect([exitCode, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

const old = [
  'registry-cache/entries/ab/abcd',
  'registry-cache/incoming/draft',
  'base-checks/1234.json',
  'tools/npm/node-20.1.0/bin/node',
  'tools/npm/node-22.1.0.pruned-1/bin/node',
];
const lasting = ['tools/redis/bin/redis-server', 'logs/api.log', 'repositories/shop/HEAD', 'worker-key'];

test('removes what is old and can be made again, and nothing else', async () => {
  for (const path of [...old, ...lasting, 'mirrors/r1.git/HEAD']) write(path, { age: 10 * day });
  const fresh = ['registry-cache/entries/cd/cdef', 'base-checks/5678.json', 'tools/npm/pnpm-9.0.0/bin/pnpm'];
  for (const path of fresh) write(path);
  const shown = await prune('--dry-run');
  expect(old.every(has)).toBe(true);
  const report = await prune();
  expect(report).toEqual({ ...shown, dryRun: false });
  expect(old.filter(has)).toEqual([]);
  // Nothing here knows whether an operation needs the mirror.
  expect([...lasting, ...fresh, 'mirrors/r1.git/HEAD'].filter((path) => !has(path))).toEqual([]);
  expect(report.areas.find(({ name }: { name: string }) => name === 'mirrors')).toMatchObject({
    removableBytes: 0,
    kept: expect.stringContaining('no database'),
  });
  const sizes = report.areas.map(({ bytes }: { bytes: number }) => bytes);
  expect(sizes).toEqual(sizes.toSorted((a: number, b: number) => b - a));
  expect((await prune('--older-than', '0d')).removableBytes).toBeGreaterThan(0);
  expect(fresh.filter(has)).toEqual([]);
});

test('after kill -9 nothing looks complete, and the next prune removes the rest', async () => {
  for (let at = 0; at < 4_000; at++) write(`tools/npm/node-20.1.0/lib/${at % 40}/${at}`, { bytes: 1 });
  const tools = join(home, 'tools', 'npm');
  const { child, finished } = startFettle(['prune', '--older-than', '0d'], settings());
  while (!readdirSync(tools).some((name) => name.includes('.pruned-'))) await sleep(1);
  child.kill('SIGKILL');
  await finished;
  expect(has('tools/npm/node-20.1.0')).toBe(false);
  await prune();
  expect(readdirSync(tools)).toEqual([]);
});

test('a wrong age is wrong usage', async () => {
  const { exitCode, stderr } = await runFettle(['prune', '--older-than', 'ever'], settings());
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("30m, 12h, 7d or 4w, not 'ever'")]);
});

test('a mirror goes when no operation needs it, and is made again', { timeout: 240_000 }, async () => {
  const plan = { tasks: ['write it down'], files: [], risks: [], estimate: 'one file' };
  const asked = turn(say('It is empty.'));
  rehearsal = await startRehearsal({
    conversations: [
      conversation('plan', [turn(call('propose_plan', plan))], { match: 'notes' }),
      conversation('ask', [turn(call('git_log', {})), asked], { match: 'what is in it' }),
      conversation('again', [turn(call('git_log', {})), asked], { match: 'what was in it' }),
    ],
  });
  const repository = openRepository();
  const run = (...args: string[]) => runFettle(['run', ...args, '--repo', repository, '--json'], settings());
  const mirrors = () => readdirSync(join(home, 'mirrors'));

  expect((await run('ask', 'what is in it?')).exitCode).toBe(0);
  const planned = await run('implement', 'notes', '--plan');
  const before = mirrors();
  expect(before).toHaveLength(1);
  const kept = await prune('--older-than', '0d');
  expect(kept.areas.find(({ name }: { name: string }) => name === 'mirrors').kept).toBe(
    'kept: an operation is not finished',
  );
  expect(mirrors()).toEqual(before);

  await runFettle(['plan', JSON.parse(planned.stdout).operationId, '--cancel'], settings());
  await prune('--older-than', '0d');
  expect(mirrors()).toEqual([]);
  expect((await run('ask', 'what was in it?')).exitCode).toBe(0);
  expect(mirrors()).toEqual(before);

  write('tools/npm/node-20.1.0/bin/node', { age: 10 * day });
  write('registry-cache/entries/ab/abcd', { age: 10 * day });
  const up = startFettle(['up', '--port', '0'], settings());
  onTestFinished(async () => {
    up.child.kill('SIGTERM');
    await up.finished;
  });
  while (!has('run/server.json')) await sleep(50);
  const running = await prune('--older-than', '0d');
  expect(running.areas).toContainEqual(
    expect.objectContaining({ name: 'tools/npm', kept: 'kept while the server runs' }),
  );
  expect([mirrors(), has('tools/npm/node-20.1.0'), has('registry-cache/entries/ab/abcd')]).toEqual([
    before,
    true,
    false,
  ]);
});
