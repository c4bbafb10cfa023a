import { cpSync, rmSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { mirrorWith } from '../testing/mirror.ts';
import { someone } from '../testing/repository.ts';
import { openCheckpoints } from './checkpoints.ts';
import { readCommitObject, writeCommitObject } from './commit-object.ts';
import type { TreeChange } from './fast-import-stream.ts';
import { decodeCheckpoint, encodeCheckpoint } from './saved-checkpoint.ts';

const files = { keep: 'k', gone: 'g' };
const changes: TreeChange[] = [
  { kind: 'deleted', path: 'gone' },
  { kind: 'symlink', path: 'link', bytes: Buffer.from('keep') },
  { kind: 'file', path: 'bin', executable: true, bytes: Buffer.from([0, 255, 10, 0]) },
  { kind: 'file', path: 'empty', executable: false, bytes: Buffer.alloc(0) },
];

async function open({ mirror, base }: { mirror: string; base: string }) {
  const ref = 'refs/fettle/checkpoints/op-1';
  const checkpoints = await openCheckpoints({ mirror, ref, base, identity: someone });
  onTestFinished(() => checkpoints.close());
  return checkpoints;
}

test('a stored checkpoint results in the same commit in another mirror', async () => {
  const here = await mirrorWith(files);
  const there = { ...here, mirror: `${here.mirror}-elsewhere` };
  cpSync(here.mirror, there.mirror, { recursive: true });
  onTestFinished(() => rmSync(there.mirror, { recursive: true }));
  const write = { changes, message: 'a checkpoint', dateSeconds: 1_700_000_000 };
  const commit = await (await open(here)).write(write);
  const collected = changes.map((change) => ({ ...change, size: 1 }));
  const stored = await encodeCheckpoint({ ...write, changes: collected, parent: here.base });
  const saved = await decodeCheckpoint(stored);
  expect(saved).toEqual({ ...write, parent: here.base });
  expect(await (await open(there)).write(saved)).toBe(commit);
  const bytes = await readCommitObject(here.mirror, commit);
  await writeCommitObject(there.mirror, commit, bytes);
  await expect(writeCommitObject(there.mirror, here.base, bytes)).rejects.toMatchObject({ code: 'failed' });
});

const wrap = (header: unknown, contents = '') => {
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  return gzipSync(Buffer.concat([length, text, Buffer.from(contents)]));
};
const header = { parent: 'a'.repeat(40), message: 'm', dateSeconds: 1, changes: [] as unknown[] };
const change = { kind: 'file', path: 'a', executable: false, bytes: 3 };

test.each([
  ['no gzip', Buffer.from('text')],
  ['nothing', gzipSync('')],
  ['a header that is cut off', gzipSync(Buffer.from([0, 0, 1, 0, 1]))],
  ['another parent', wrap({ ...header, parent: 'main' })],
  ['an unknown field', wrap({ ...header, ref: 'refs/heads/main' })],
  ['a file that is cut off', wrap({ ...header, changes: [change] }, 'ab')],
  ['a negative length', wrap({ ...header, changes: [{ ...change, bytes: -1 }] }, 'abc')],
  ['a decompression bomb', gzipSync(Buffer.alloc(101_000_000))],
])('%s is refused', async (_name, bytes) => {
  await expect(decodeCheckpoint(bytes)).rejects.toMatchObject({ code: 'failed' });
});
