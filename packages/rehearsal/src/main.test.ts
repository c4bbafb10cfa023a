import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { post } from '../test/wire.ts';
import { conversation, say, turn } from './record/builders.ts';

const rehearsalMain = join(import.meta.dirname, 'main.ts');
let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rehearsal-'));
  file = join(folder, 'a.json');
  await writeFile(file, JSON.stringify(conversation('a', [turn(say('Hi'))])));
});
afterAll(() => rm(folder, { recursive: true }));

async function start() {
  const child = spawn(process.execPath, [rehearsalMain, file], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  return { child, exit: once(child, 'exit'), url: JSON.parse(line).url as string };
}

test('serves until standard input closes', async () => {
  const { child, exit, url } = await start();
  expect((await post(url, {})).status).toBe(200);
  child.stdin.end();
  expect(await exit).toEqual([0, null]);
});

test('ends on SIGTERM', async () => {
  const { child, exit } = await start();
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
});

test('explains invalid arguments', async () => {
  const child = spawn(process.execPath, [rehearsalMain], { stdio: ['pipe', 'pipe', 'pipe'] });
  const [message] = await once(child.stderr, 'data');
  expect(String(message)).toBe('name at least one conversation file\n');
  expect(await once(child, 'exit')).toEqual([2, null]);
});
