import type { CheckFailure, CheckReport } from '@fettle/contract';

/** `12 passed, 2 failed, 1 skipped`, or `3 problems` for a tool that counts only problems. */
export function describeCounts({ passed, failed, skipped = 0 }: CheckReport): string {
  if (passed === undefined) return failed === 1 ? '1 problem' : `${failed} problems`;
  const counts = [`${passed} passed`, failed > 0 && `${failed} failed`, skipped > 0 && `${skipped} skipped`];
  return counts.filter(Boolean).join(', ');
}

/** `src/a.test.ts:5:3 adds up`, followed by the indented message. */
export function describeFailure({ file, line, column, name, rule, message }: CheckFailure): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  const head = [file === undefined ? '' : place, rule ?? '', name ?? ''].filter(Boolean).join(' ');
  const details = message
    .trim()
    .split('\n')
    .map((text) => `  ${text}`)
    .join('\n');
  return [head, details].filter((text) => text.trim() !== '').join('\n');
}
