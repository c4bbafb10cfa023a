import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { collectPacks } from '../mirror/maintain.ts';
import { listTree } from '../read/list-tree.ts';
import { readBlobAt } from '../read/read-blobs.ts';
import { mirrorWith } from '../testing/mirror.ts';
import { git, someone } from '../testing/repository.ts';
import { openCheckpoints } from './checkpoints.ts';
import type { TreeChange } from './fast-import-stream.ts';

const ref = 'refs/fettle/checkpoints/op-1';
const dateSeconds = 1_700_000_000;
const message = 'a checkpoint\n';

function file(path: string, content: string | Buffer, executable = false): TreeChange {
  return { kind: 'file', path, executable, bytes: Buffer.from(content) };
}

async function opened(files: Record<string, string>, options: { resumeAt?: string } = {}) {
  const { mirror, base } = await mirrorWith(files);
  const open = async (more: { resumeAt?: string } = options) => {
    const checkpoints = await openCheckpoints({ mirror, ref, base, identity: someone, ...more });
    onTestFinished(() => checkpoints.close());
    return checkpoints;
  };
  return { mirror, base, open, checkpoints: await open() };
}

test('each checkpoint follows the previous one and contains every kind of change', async () => {
  const { mirror, base, checkpoints } = await opened({ keep: 'k', gone: 'g', 'folder/x': 'x', plain: 'p' });
  expect(checkpoints.head()).toBe(base);
  const names = ['new\nline', 'quo"te', 'back\\slash', 'ünï ✓', ' lead', '-dash', 'tab\t', 'a/b/c'];
  const first = await checkpoints.write({
    changes: [
      ...names.map((name) => file(name, `content of ${name}`)),
      file('run.sh', '#!/bin/sh\n', true),
      file('bin', Buffer.from([0, 255, 10, 0])),
      { kind: 'symlink', path: 'link', bytes: Buffer.from('../outside') },
      { kind: 'deleted', path: 'gone' },
      { kind: 'deleted', path: 'never-there' },
      // A folder becomes a file and a file becomes a folder; the order of the list does not matter.
      file('folder', 'now a file'),
      { kind: 'deleted', path: 'folder/x' },
      { kind: 'deleted', path: 'plain' },
      file('plain/y', 'now a folder'),
    ],
    message: 'first\n',
    dateSeconds,
  });
  const second = await checkpoints.write({ changes: [file('empty', '')], message: 'second\n', dateSeconds });
  expect(checkpoints.head()).toBe(second);
  expect(git(mirror, 'rev-parse', ref)).toBe(second);
  expect(git(mirror, 'log', '--format=%H', ref).split('\n')).toEqual([second, first, base]);
  expect(git(mirror, 'log', '-1', '--format=%an|%ae|%at|%B', second)).toBe(
    'Some One|someone@example.com|1700000000|second',
  );
  const modes = new Map((await listTree(mirror, second)).map((entry) => [entry.path, entry.mode]));
  expect([...modes.keys()].sort()).toEqual(
    [...names, 'bin', 'empty', 'folder', 'keep', 'link', 'plain/y', 'run.sh'].sort(),
  );
  expect([modes.get('run.sh'), modes.get('link'), modes.get('bin')]).toEqual(['100755', '120000', '100644']);
  for (const name of names) {
    expect(await readBlobAt(mirror, second, name)).toMatchObject({
      kind: 'blob',
      bytes: Buffer.from(`content of ${name}`),
    });
  }
  git(mirror, 'fsck', '--strict', second);
});

test('concurrent writes follow each other, and a write without changes creates no commit', async () => {
  const { mirror, checkpoints } = await opened({ a: 'a' });
  const write = (number: number) =>
    checkpoints.write({ changes: [file(`f${number}`, `${number}`)], message, dateSeconds });
  const commits = await Promise.all([1, 2, 3, 4].map(write));
  expect(git(mirror, 'log', '-4', '--format=%H', ref).split('\n')).toEqual(commits.toReversed());
  expect(await checkpoints.write({ changes: [], message, dateSeconds })).toBe(commits[3]);
});

test('a checkpoint does not convert bytes, whatever the attributes say', async () => {
  const { mirror, checkpoints } = await opened({
    '.gitattributes': '* text eol=lf ident\n*.bin filter=lfs\n',
  });
  const bytes = Buffer.from('$Id$\r\nline\r\n');
  const changes = [file('a.txt', bytes), file('b.bin', bytes)];
  const commit = await checkpoints.write({ changes, message, dateSeconds });
  expect(await readBlobAt(mirror, commit, 'a.txt')).toMatchObject({ kind: 'blob', bytes });
  expect(await readBlobAt(mirror, commit, 'b.bin')).toMatchObject({ kind: 'blob', bytes });
});

test('invalid paths are refused, and a refused write changes nothing', async () => {
  const { base, checkpoints } = await opened({ a: 'a' });
  const refused: TreeChange[][] = [
    [file('.git/config', '')],
    [{ kind: 'deleted', path: '../x' }],
    [file('x', ''), file('x/y', '')],
    [file('x', '1'), file('x', '2')],
    [{ kind: 'symlink', path: '.gitmodules', bytes: Buffer.from('x') }],
  ];
  for (const changes of refused) {
    const write = checkpoints.write({ changes, message, dateSeconds });
    await expect(write).rejects.toMatchObject({ code: 'bad_path' });
  }
  expect(checkpoints.head()).toBe(base);
});

test('a ref outside of refs/fettle is refused', async () => {
  const { mirror, base } = await mirrorWith({ a: 'a' });
  for (const bad of ['refs/heads/main', 'refs/fettle/../heads/main', 'refs/fettle/a b', 'main']) {
    const open = openCheckpoints({ mirror, ref: bad, base, identity: someone });
    await expect(open).rejects.toMatchObject({ code: 'bad_ref' });
  }
});

test('a later session continues from the ref, or from the recorded checkpoint', async () => {
  const { mirror, base, checkpoints, open } = await opened({ a: 'a' });
  const first = await checkpoints.write({ changes: [file('f', '1')], message, dateSeconds });
  const second = await checkpoints.write({ changes: [file('f', '2')], message, dateSeconds });
  await checkpoints.close();
  expect((await open()).head()).toBe(second);
  const resumed = await open({ resumeAt: first });
  expect(resumed.head()).toBe(first);
  const third = await resumed.write({ changes: [file('f', '3')], message, dateSeconds });
  expect(git(mirror, 'log', '--format=%H', ref).split('\n')).toEqual([third, first, base]);
  await expect(open({ resumeAt: second })).rejects.toMatchObject({ code: 'conflict', found: third });
});

test('a writer whose ref was moved by another one can never write again', async () => {
  const { mirror, checkpoints, open } = await opened({ a: 'a' });
  await checkpoints.write({ changes: [file('f', '1')], message, dateSeconds });
  const other = await open();
  const theirs = await other.write({ changes: [file('f', '2')], message, dateSeconds });
  for (const content of ['3', '4']) {
    const late = checkpoints.write({ changes: [file('f', content)], message, dateSeconds });
    await expect(late).rejects.toMatchObject({ code: 'conflict', found: theirs });
  }
  expect(git(mirror, 'rev-parse', ref)).toBe(theirs);
});

test('after fast-import is killed, the next write succeeds', async () => {
  const { mirror, checkpoints } = await opened({ a: 'a' });
  const first = await checkpoints.write({ changes: [file('f', '1')], message, dateSeconds });
  process.kill(checkpoints.pid() ?? 0, 'SIGKILL');
  const outcomes = [];
  for (const content of ['2', '3']) {
    const write = checkpoints.write({ changes: [file('f', content)], message, dateSeconds });
    outcomes.push(await write.catch((error) => error.code));
  }
  // The first write may or may not reach the dying process.
  const last = outcomes[1];
  expect(git(mirror, 'rev-parse', ref)).toBe(last);
  expect(await readBlobAt(mirror, last, 'f')).toMatchObject({ kind: 'blob', bytes: Buffer.from('3') });
  expect(git(mirror, 'log', '--format=%H', ref).split('\n')).toContain(first);
});

test('a lock that a killed process left on the ref is removed', async () => {
  const { mirror, checkpoints } = await opened({ a: 'a' });
  await checkpoints.write({ changes: [file('f', '1')], message, dateSeconds });
  writeFileSync(join(mirror, `${ref}.lock`), '');
  const commit = await checkpoints.write({ changes: [file('f', '2')], message, dateSeconds });
  expect(git(mirror, 'rev-parse', ref)).toBe(commit);
});

test('after kill -9 of the whole process, every acknowledged checkpoint exists', async () => {
  const { mirror, base, open } = await opened({ a: 'a' });
  const own = listFastImports(mirror);
  const script = fileURLToPath(new URL('../testing/write-checkpoints.ts', import.meta.url));
  const child = spawn(process.execPath, [script, mirror, ref, base], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const acknowledged: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged.push(line);
    if (acknowledged.length === 7) child.kill('SIGKILL');
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  // Its fast-import may still apply a checkpoint that was sent and not acknowledged.
  while (listFastImports(mirror).some((pid) => !own.includes(pid))) await sleep(20);
  const last = acknowledged.at(-1) ?? '';
  const resumed = await open({ resumeAt: last });
  expect(resumed.head()).toBe(last);
  const written = git(mirror, 'log', '--reverse', '--format=%H', `${base}..${last}`).split('\n');
  expect(written).toEqual(acknowledged);
  expect(await readBlobAt(mirror, last, 'counter')).toMatchObject({
    kind: 'blob',
    bytes: Buffer.from(`${acknowledged.length}\n`),
  });
  await resumed.write({ changes: [file('counter', 'on')], message, dateSeconds });
  git(mirror, 'fsck', '--strict', ref);
});

test('small packs are joined, except for those of a running writer', async () => {
  const { mirror, checkpoints, open } = await opened({ a: 'a' });
  const packs = () => Number(/^packs: (\d+)$/m.exec(git(mirror, 'count-objects', '-v'))?.[1]);
  for (let i = 0; i < 60; i++)
    await checkpoints.write({ changes: [file('f', String(i))], message, dateSeconds });
  await collectPacks(mirror);
  expect(packs()).toBeGreaterThanOrEqual(60);
  await checkpoints.close();
  await Promise.all([collectPacks(mirror), collectPacks(mirror)]);
  expect(packs()).toBeLessThan(10);
  const resumed = await open();
  const commit = await resumed.write({ changes: [file('f', 'on')], message, dateSeconds });
  expect(await readBlobAt(mirror, commit, 'f')).toMatchObject({ kind: 'blob', bytes: Buffer.from('on') });
  expect(git(mirror, 'show', `${commit}~30:f`)).toBe('30');
  git(mirror, 'fsck', '--strict');
});

/** The process ids of the running `git fast-import` of a mirror. */
function listFastImports(mirror: string): string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8');
      return command.includes(`--git-dir=${mirror}`) && command.includes('fast-import');
    } catch {
      return false;
    }
  });
}
