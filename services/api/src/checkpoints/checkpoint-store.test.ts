import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CheckpointUnreadable, openCheckpointFolder } from './checkpoint-store.ts';

test('checkpoints are stored once, read and removed with their operation', async () => {
  const home = mkdtempSync(join(tmpdir(), 'checkpoints-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const store = openCheckpointFolder(join(home, 'checkpoints'));
  expect(await store.listOperations()).toEqual([]);
  const key = { operationId: 'op_1', commit: 'a'.repeat(40) };
  expect(await store.get(key)).toBeUndefined();
  await Promise.all([1, 2, 3].map(() => store.put(key, Buffer.from('first'))));
  await store.put({ ...key, operationId: 'op_2' }, Buffer.from('other'));
  expect(String(await store.get(key))).toBe('first');
  expect(readdirSync(join(home, 'checkpoints', 'op_1'))).toEqual([key.commit]);
  await store.remove('op_1');
  expect(await store.listOperations()).toEqual(['op_2']);
});

test('a damaged checkpoint is written anew by the next put', async () => {
  const home = mkdtempSync(join(tmpdir(), 'checkpoints-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const store = openCheckpointFolder(home);
  const key = { operationId: 'op_1', commit: 'a'.repeat(40) };
  const path = join(home, key.operationId, key.commit);
  await store.put(key, Buffer.from('whole'));
  writeFileSync(path, 'wh');
  await store.put(key, Buffer.from('whole'));
  expect(String(await store.get(key))).toBe('whole');

  rmSync(path);
  mkdirSync(path);
  await expect(store.get(key)).rejects.toThrow(CheckpointUnreadable);
  await store.put(key, Buffer.from('whole'));
  expect(String(await store.get(key))).toBe('whole');
  expect(readdirSync(join(home, key.operationId))).toEqual([key.commit]);
});
