/** A toolbox that was taken over answers everything in time, and just so. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Checkpoints } from '@fettle/git';
import type { Change, Sandbox } from '@fettle/sandbox';
import { expect, onTestFinished, test } from 'vitest';
import { watchReports } from '../verify/report-files.ts';
import { createSaver } from './save-changes.ts';

const answerMs = 100;
const count = 500;

function slowSandbox(): { sandbox: Sandbox; asked: () => number } {
  let asked = 0;
  const answer = async <T>(value: T): Promise<T> => {
    asked += 1;
    return setTimeout(answerMs, value);
  };
  const names = Array.from({ length: count }, (_, index) => `f${index}`);
  const changes = names.map(
    (path): Change => ({ path, kind: 'file', executable: false, size: 0, bytes: Buffer.alloc(0) }),
  );
  const entries = names.map((path) => ({ path, kind: 'file' }));
  const sandbox: Pick<Sandbox, 'changes' | 'run' | 'listDirectory' | 'readFile'> = {
    changes: () => answer({ changes, refused: [], refusedCount: 0 }),
    run: () => answer({ exitCode: 0 } as never),
    listDirectory: () => answer({ entries, total: count, truncated: false } as never),
    readFile: () => answer({ bytes: Buffer.alloc(0) } as never),
  };
  return { sandbox: sandbox as Sandbox, asked: () => asked };
}

function makeMirror(): { mirror: string; head: string } {
  const mirror = mkdtempSync(join(tmpdir(), 'save-changes-'));
  onTestFinished(() => rmSync(mirror, { recursive: true }));
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', mirror, ...args], { encoding: 'utf8' }).trim();
  git('init', '-q', '--bare');
  const tree = execFileSync('git', ['-C', mirror, 'mktree'], { input: '', encoding: 'utf8' }).trim();
  const head = git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit-tree', '-m', 'first', tree);
  return { mirror, head };
}

test('putting files back has an end, and a reason', async () => {
  const { mirror, head } = makeMirror();
  const { sandbox, asked } = slowSandbox();
  const saveChanges = createSaver({
    ...{ mirror, sandbox, checkpoints: { head: () => head } as Checkpoints, label: 'test' },
    guard: async (change) => ({ reason: 'no', by: { rule: 'none', token: change.path, reason: 'no' } }),
    signal: new AbortController().signal,
    restoreMs: 5 * answerMs,
  });
  await expect(saveChanges()).rejects.toMatchObject({
    code: 'ended',
    message: 'the toolbox takes too long to put files back',
  });
  expect(asked()).toBeLessThan(10);
});

test('so has looking for reports', async () => {
  const { sandbox, asked } = slowSandbox();
  await expect(watchReports(sandbox, ['*/*.xml'], 5 * answerMs)).rejects.toMatchObject({
    code: 'ended',
    message: 'the toolbox takes too long to read reports',
  });
  expect(asked()).toBeLessThan(10);
});
