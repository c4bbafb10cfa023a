/** A compromised sandbox answers every call just before its timeout. */
import { setTimeout } from 'node:timers/promises';
import type { Checkpoints } from '@fettle/git';
import type { Change, Sandbox } from '@fettle/sandbox';
import { expect, test } from 'vitest';
import { makeRepository } from '../testing/make-repository.ts';
import { watchReports } from '../verify/report-files.ts';
import { createSaver } from './save-changes.ts';

const answerMs = 100;
const count = 500;

function slowSandbox(): { sandbox: Sandbox; calls: () => number } {
  let calls = 0;
  const answer = async <T>(value: T): Promise<T> => {
    calls += 1;
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
  return { sandbox: sandbox as Sandbox, calls: () => calls };
}

test('restoring files has a deadline', async () => {
  const repository = await makeRepository();
  const { mirror } = repository;
  const head = await repository.commit({});
  const { sandbox, calls } = slowSandbox();
  const saveChanges = createSaver({
    ...{ mirror, sandbox, withheld: [], checkpoints: { head: () => head } as Checkpoints, label: 'test' },
    store: { put: async () => {} },
    bases: { keep() {} },
    guard: async (change) => ({ reason: 'no', by: { rule: 'none', token: change.path, reason: 'no' } }),
    signal: new AbortController().signal,
    restoreTimeoutMs: 5 * answerMs,
  });
  await expect(saveChanges()).rejects.toMatchObject({
    code: 'ended',
    message: 'the sandbox takes too long to restore files',
  });
  expect(calls()).toBeLessThan(10);
});

test('reading reports has a deadline', async () => {
  const { sandbox, calls } = slowSandbox();
  await expect(watchReports(sandbox, ['*/*.xml'], 5 * answerMs)).rejects.toMatchObject({
    code: 'ended',
    message: 'the sandbox takes too long to read reports',
  });
  expect(calls()).toBeLessThan(10);
});
