/** The diff, the changed files and one file after any part, read from the stored checkpoints. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { PartDiff, PartFile, PartTree } from '@fettle/contract';
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { createRandom, synthesize } from '@fettle/secrets/testing';
import { beforeAll, expect, test } from 'vitest';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import type { Platform } from '../support/platform.ts';
import { repairSum } from '../support/repairs.ts';
import { brokenSum, soundSum, type TestRepository } from '../support/repository.ts';
import { runFettleOn } from '../support/run-fettle.ts';

const secret = synthesize('ghp_{an36}', createRandom(78));
const run = (command: string) => turn(call('run_command', { command }));
const steps = conversation('steps', [
  run('ls'),
  repairSum,
  turn(call('edit_file', { path: 'sum.mjs', edits: [{ old: 'a + b', new: 'b + a' }] })),
  run('rm old.txt'),
  run('cp picture.png copy.png'),
  turn(say('Mended')),
]);
/** The parts of the steps. */
const [listed, repaired, turned, removed, copied] = [1, 2, 3, 4, 5];

let platform: Platform;
let repository: TestRepository;
let id: string;

beforeAll(async () => {
  platform = await openPlatform({ conversations: [steps] });
  repository = openRepository({
    ...brokenSum,
    'old.txt': `token = '${secret}'\n`,
    'picture.png': Buffer.from([1, 0, 2]),
  });
  const { operation } = await platform.run(repository.request('fix', 'the sum is wrong'));
  expect(operation.outcome).toMatchObject({ kind: 'proposal' });
  id = operation.id;
});

async function get<T>(path: string): Promise<{ status: number; body: T }> {
  const response = await platform.call('GET', `/v1/operations/${id}/parts/${path}`);
  return { status: response.status, body: (await response.json()) as T };
}
const diffAt = async (part: number | undefined, query = '') =>
  (await get<PartDiff>(`${part}/diff${query}`)).body;

const patch = (before: string, after: string) =>
  `--- a/sum.mjs\n+++ b/sum.mjs\n@@ -1,1 +1,1 @@\n-${before}+${after}`;
const reversed = soundSum['sum.mjs'].replace('a + b', 'b + a');

test('the diff after each part, from the base', async () => {
  expect(await diffAt(listed)).toEqual({
    part: 1,
    checkpoint: null,
    complete: true,
    from: 'base',
    files: [],
  });
  const sum = { path: 'sum.mjs', change: 'modified', mode: '100644', bytes: 36 };
  expect(await diffAt(repaired)).toMatchObject({
    complete: true,
    files: [{ ...sum, diff: patch(brokenSum['sum.mjs'], soundSum['sum.mjs']) }],
  });
  expect((await diffAt(turned)).files).toEqual([{ ...sum, diff: patch(brokenSum['sum.mjs'], reversed) }]);
  const { files } = await diffAt(copied);
  expect(files.map(({ path, change, omitted }) => [path, change, omitted])).toEqual([
    ['copy.png', 'added', 'binary'],
    ['old.txt', 'deleted', undefined],
    ['sum.mjs', 'modified', undefined],
  ]);
});

test('the diff of one part alone', async () => {
  const { files } = await diffAt(turned, '?from=previous');
  expect(files.map(({ diff }) => diff)).toEqual([patch(soundSum['sum.mjs'], reversed)]);
  expect((await diffAt(removed, '?from=previous')).files.map(({ path }) => path)).toEqual(['old.txt']);
});

test('the tree and a file after a part, without secrets', async () => {
  const { body: tree } = await get<PartTree>(`${removed}/tree`);
  expect(tree.files).toEqual([
    { path: 'old.txt', change: 'deleted', mode: null, bytes: null },
    { path: 'sum.mjs', change: 'modified', mode: '100644', bytes: 36 },
  ]);
  const { body: file } = await get<PartFile>(`${repaired}/files?path=sum.mjs`);
  expect(file).toMatchObject({ path: 'sum.mjs', text: soundSum['sum.mjs'] });
  const diff = JSON.stringify(await diffAt(removed));
  expect(diff).toContain('-token = ');
  expect(diff).not.toContain(secret);
  expect(await get('99/diff')).toMatchObject({ status: 404, body: { error: { field: 'number' } } });
  expect(await get('0/diff')).toMatchObject({ status: 400 });
  expect(await get(`${repaired}/files?path=old.txt`)).toMatchObject({ status: 404 });
});

test('on the command line', async () => {
  const shown = await runFettleOn(platform, 'show', id, '--part', '3');
  expect({ code: shown.code, stderr: shown.stderr }).toEqual({ code: 0, stderr: '' });
  expect(shown.stdout).toMatch(/sum\.mjs {2}modified\n[\s\S]*-export const add = \(a, b\) => a - b;/);
  expect(await runFettleOn(platform, 'show', id, '--part', 'x')).toMatchObject({ code: 2 });
});

test('a checkpoint that is missing is said to be missing', async () => {
  const folder = join(platform.home, 'checkpoints', id);
  const checkpoint = (await diffAt(repaired)).checkpoint ?? '';
  expect(readdirSync(folder)).toContain(checkpoint);
  rmSync(join(folder, checkpoint));
  const { complete, files } = await diffAt(copied);
  expect(complete).toBe(false);
  expect(files.find(({ path }) => path === 'sum.mjs')).toMatchObject({
    change: 'written',
    omitted: 'base_not_kept',
  });
});
