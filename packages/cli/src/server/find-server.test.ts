import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { lockHome } from '../stack/home-lock.ts';
import { writeServerFile } from '../stack/server-file.ts';
import { runFettle } from '../testing/run-fettle.ts';
import { findServer } from './find-server.ts';

let home: string;
let lock: { release(): void };
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'home-'));
  lock = lockHome(home);
  // Nobody listens there: an api that ended, and whose owner pauses before it starts it again.
  const startedAt = new Date().toISOString();
  writeServerFile(home, { pid: process.pid, url: 'http://127.0.0.1:1', startedAt, embedded: false });
});
afterEach(async () => {
  lock.release();
  await rm(home, { recursive: true });
});

test('a server whose api is being started again is told as that, and its lock is left alone', async () => {
  const { exitCode, stderr } = await runFettle(['show', 'op_1'], { FETTLE_HOME: home });
  expect(exitCode).toBe(4);
  expect(stderr).toContain(`the Fettle that runs on ${home} (process ${process.pid}) is starting it again`);
  expect(stderr).not.toContain('remove');
});

test('a file that a dead server left says nothing, whoever has its process id now', async () => {
  lock.release();
  expect(await findServer(readConfig({ FETTLE_HOME: home }))).toBeUndefined();
});
