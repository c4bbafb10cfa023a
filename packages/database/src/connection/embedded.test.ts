import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startProgram } from '@fettle/process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../open-database.ts';
import { lockFolder } from './folder-lock.ts';

const limitMs = 60_000;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fettle-embedded-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const inUse = { name: 'DatabaseError', code: 'in_use' };

test(
  'a folder belongs to one process, and a killed process loses no acknowledged data',
  async () => {
    const program = join(import.meta.dirname, '../testing/create-until-killed.ts');
    const child = startProgram([process.execPath, program, folder], { environment: {}, stderr: 'inherit' });
    const ids: string[] = [];
    for await (const id of createInterface(child.stdout as NodeJS.ReadableStream)) {
      ids.push(id);
      if (ids.length === 5) await expect(openDatabase({ folder })).rejects.toMatchObject(inUse);
      if (ids.length === 30) process.kill(child.pid as number, 'SIGKILL');
    }
    await child.exited;
    expect(ids.length).toBeGreaterThanOrEqual(30);
    const database = await openDatabase({ folder });
    try {
      for (const id of ids) expect(await database.operations.get(id)).toMatchObject({ id, state: 'queued' });
      await database.ping();
    } finally {
      await database.close();
    }
    expect(readdirSync(folder)).toEqual(['data']);
  },
  limitMs,
);

test('the error names the folder, the process and the lock file', () => {
  const lock = lockFolder(folder);
  const path = join(folder, 'lock');
  const who = `process ${process.pid} on ${hostname()}`;
  expect(() => lockFolder(folder)).toThrow(
    `The database folder ${folder} is in use by ${who}. Stop it first. If it is certain that it has ended, remove ${path}.`,
  );
  lock.release();
  lockFolder(folder).release();
  expect(readdirSync(folder)).toEqual([]);
});

test(
  'a start repairs the result of a start that was killed while it created the files',
  async () => {
    writeFileSync(join(folder, 'data.draft'), 'half of a database');
    const database = await openDatabase({ folder });
    await database.ping();
    await database.close();
  },
  limitMs,
);

test('an unreachable server is reported as such', async () => {
  await expect(openDatabase({ url: `postgres://x@localhost/x?host=${folder}` })).rejects.toMatchObject({
    name: 'DatabaseError',
    code: 'unreachable',
  });
});

test('files of another Postgres version are reported and not changed', async () => {
  await (await openDatabase({ folder })).close();
  writeFileSync(join(folder, 'data', 'PG_VERSION'), '99\n');
  await expect(openDatabase({ folder })).rejects.toMatchObject({
    code: 'other_version',
    message: expect.stringContaining('was created by Postgres 99'),
  });
});
