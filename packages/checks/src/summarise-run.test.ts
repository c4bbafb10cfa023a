import { expect, test } from 'vitest';
import { summariseRun } from './summarise-run.ts';

const run = { name: 'test' as const, exitCode: 0, timedOut: false, durationMs: 1_234, output: '' };
const tap = (count: number, failed: number) =>
  `TAP version 13\n${Array.from({ length: count }, (_, n) => (n < failed ? `not ok ${n + 1} - case ${n}\n  ---\n  error: 'wrong ${n}'\n  ...` : `ok ${n + 1} - case ${n}`)).join('\n')}\n1..${count}\n`;

test('a passed run is one line', () => {
  expect(summariseRun({ ...run, output: tap(200, 0) })).toBe(
    'test passed in 1.2 s: 200 passed (tap) (exit code 0)',
  );
  const noise = `${'line\n'.repeat(500)}compiled 3 files\n\n`;
  expect(summariseRun({ ...run, name: 'build', output: noise })).toBe(
    'build passed in 1.2 s: compiled 3 files (exit code 0)',
  );
});

test('a failed run lists its failures, and a bounded end of its output', () => {
  const summary = summariseRun({ ...run, exitCode: 1, output: tap(200, 30) });
  expect(summary).toContain('test failed in 1.2 s: 170 passed, 30 failed (tap) (exit code 1)');
  expect(summary).toContain('case 19');
  expect(summary).toContain('… and 10 more');
  expect(summary.length).toBeLessThan(5_000);
});

test('a run that did not really run says why', () => {
  const summary = summariseRun({ ...run, exitCode: 127, output: 'sh: 1: xo: not found\n' });
  expect(summary).toContain('test could not run: `xo` is not installed');
});
