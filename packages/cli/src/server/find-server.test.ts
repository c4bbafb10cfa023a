import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { lockHome } from '../stack/home-lock.ts';
import { writeServerFile } from '../stack/server-file.ts';
import { openFolder } from '../testing/open-folder.ts';
import { runFettle } from '../testing/run-fettle.ts';
import { findServer } from './find-server.ts';

let home: string;
let lock: { release(): void };
beforeEach(() => {
  home = openFolder();
  lock = lockHome(home);
  // Nothing listens there: the api has exited, and its owner waits before it restarts it.
  const startedAt = new Date().toISOString();
  writeServerFile(home, { pid: process.pid, url: 'http://127.0.0.1:1', startedAt, embedded: false });
});
afterEach(() => lock.release());

test('reports that the owner is restarting the api, and leaves its lock alone', async () => {
  const { exitCode, stderr } = await runFettle(['show', 'op_1'], { FETTLE_HOME: home });
  expect(exitCode).toBe(4);
  expect(stderr).toContain(`the server that owns ${home} (process ${process.pid}) is restarting it`);
  expect(stderr).not.toContain('remove');
});

test('ignores the file of a dead server, even if its process id was reused', async () => {
  lock.release();
  expect(await findServer(readConfig({ FETTLE_HOME: home }))).toBeUndefined();
});
