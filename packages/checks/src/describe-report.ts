import type { CheckFailure, CheckReport } from '@fettle/contract';

/** `12 passed, 2 failed, 1 skipped`, or `3 problems` where a tool only counts what is wrong. */
export function describeCounts({ passed, failed, skipped = 0 }: CheckReport): string {
  if (passed === undefined) return failed === 1 ? '1 problem' : `${failed} problems`;
  const counts = [`${passed} passed`, failed > 0 && `${failed} failed`, skipped > 0 && `${skipped} skipped`];
  return counts.filter(Boolean).join(', ');
}

/** `src/a.test.ts:5:3 adds up`, and below it what was said. */
export function describeFailure({ file, line, column, name, rule, message }: CheckFailure): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  const head = [file === undefined ? '' : place, rule ?? '', name ?? ''].filter(Boolean).join(' ');
  const said = message
    .trim()
    .split('\n')
    .map((text) => `  ${text}`)
    .join('\n');
  return [head, said].filter((text) => text.trim() !== '').join('\n');
}
