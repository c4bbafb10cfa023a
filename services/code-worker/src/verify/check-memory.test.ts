import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CheckResult } from '@fettle/contract';
import { expect, onTestFinished, test } from 'vitest';
import { createCheckMemory } from './check-memory.ts';

const check: CheckResult = {
  name: 'test',
  command: 'npm test',
  ok: false,
  exitCode: 1,
  timedOut: false,
  durationMs: 12,
  output: 'red',
  report: { tool: 'jest', passed: 1, failed: 1, skipped: 0, failures: [{ name: 'a', message: 'm' }] },
};

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fettle-memory-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'base-checks');
}

test('what was kept under a key comes back under it alone, in another process too', async () => {
  const folder = makeFolder();
  expect(await createCheckMemory(folder).recall({ commit: 'a' })).toBeUndefined();
  await createCheckMemory(folder).keep({ commit: 'a' }, check);
  expect(await createCheckMemory(folder).recall({ commit: 'a' })).toEqual(check);
  expect(await createCheckMemory(folder).recall({ commit: 'b' })).toBeUndefined();
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.json$/)]);
});

test('what is broken, or too long, or something else is as good as absent', async () => {
  const folder = makeFolder();
  const memory = createCheckMemory(folder);
  await memory.keep(1, check);
  const [name = ''] = readdirSync(folder);
  for (const text of ['{"name":', '{}', JSON.stringify({ ...check, output: 'x'.repeat(1_000_001) })]) {
    writeFileSync(join(folder, name), text);
    expect(await memory.recall(1)).toBeUndefined();
  }
});

test('the oldest are forgotten', async () => {
  const folder = makeFolder();
  const memory = createCheckMemory(folder, { maxFiles: 3 });
  for (let key = 1; key <= 3; key++) {
    await memory.keep(key, check);
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      utimesSync(
        path,
        new Date(),
        new Date(process.getBuiltinModule('node:fs').statSync(path).mtimeMs - 10_000),
      );
    }
  }
  await memory.keep(4, check);
  const left = await Promise.all([1, 2, 3, 4].map((key) => memory.recall(key)));
  expect(left.map((found) => found !== undefined)).toEqual([false, true, true, true]);
});
