import { maxFailuresKept } from '@fettle/contract';
import { expect, test } from 'vitest';
import { maxMessage } from './bounds.ts';
import { readReport } from './read-report.ts';

test('unknown output has no report', () => {
  expect(readReport({ output: 'make: *** [all] Error 2\n', exitCode: 2 })).toBeUndefined();
  expect(readReport({ output: '', exitCode: 0 })).toBeUndefined();
});

test('failures are limited in number and length', () => {
  const output = Array.from({ length: 5_000 }, (_, i) => `a.ts(${i},1): error TS1: ${'x'.repeat(900)}`).join(
    '\n',
  );
  const report = readReport({ output, exitCode: 1 });
  expect(report?.failures).toHaveLength(maxFailuresKept);
  expect(report?.failures[0]?.message).toHaveLength(maxMessage);
  // The middle of a long output is not read, so only the count is wrong.
  expect(report?.failed).toBeGreaterThan(2_000);
});

test('the same failure looks the same in sandboxes with different folders', () => {
  const [one, two] = ['/tmp/one', '/srv/two'].map((folder) =>
    readReport({ output: `${folder}/a.ts(1,1): error TS1: see ${folder}/b.ts`, exitCode: 1, folder }),
  );
  expect(one).toEqual(two);
  expect(one?.failures).toEqual([{ file: 'a.ts', line: 1, column: 1, rule: 'TS1', message: 'see b.ts' }]);
});

const million = 1_000_000;
const ends =
  ' Test Files  1 failed (1)\nTest Suites: 1\nℹ tests 1\nℹ pass 1\nTAP version 13\n1 failed in 1s\n';
const hostile: Record<string, string> = {
  'new lines': '\n'.repeat(10 * million),
  'one long line': 'a'.repeat(10 * million),
  'colours without end': '\u001b['.repeat(5 * million),
  'links without end': '\u001b]8;;'.repeat(2 * million),
  'spaces in lines': `${' '.repeat(1_999)}\n`.repeat(5_000),
  'headings of vitest': ' FAIL  a > b\n'.repeat(700_000),
  'places of vitest': ` FAIL  a > b\n${' ❯ a a:1:1:1:1 '.repeat(100)}\n`.repeat(5_000),
  'headings of pytest': `${'___ a '.repeat(300)}___\nFAILED a::a - b\n`.repeat(4_000),
  'the same heading of pytest': `___ a ___\nFAILED x::a - b\n`.repeat(150_000),
  'places of jest': `FAIL ./a.js\n  ● b\n${' at (a:1:1 ('.repeat(150)}\n`.repeat(5_000),
  'names of files of jest': `FAIL ${'a.a a.'.repeat(300)}\n`.repeat(5_000),
  'places of tsc': `${'a(1,1'.repeat(300)}: error TS1: x\n`.repeat(5_000),
  'rules of biome': `Checked 1 file in 1\n${'a:1:1:'.repeat(300)} x ━\n\n  × a\n`.repeat(4_000),
  'points of TAP': `TAP version 13\n${"not ok 1 - a\n  location: 'a:1:1:1:1\n".repeat(200_000)}`,
  'headings of node': `✖ failing tests:\n${'✖ a (1ms) (1ms '.repeat(100)}\n`.repeat(5_000),
};

test.each(Object.keys(hostile))('hostile output is read in linear time: %s', (name) => {
  const startedAt = performance.now();
  readReport({ output: `${hostile[name]}\n${ends}`, exitCode: 1 });
  // Quadratic time would take minutes.
  expect(performance.now() - startedAt).toBeLessThan(15_000);
});

test.each([
  ['attributes', `<testsuite ${'a="b" '.repeat(700_000)}>`],
  ['open tags', '<a '.repeat(million)],
  ['texts', `<testsuite><testcase><failure>${'a.b'.repeat(million)}</failure></testcase></testsuite>`],
  [
    'cases',
    `<testsuite>${`<testcase><failure>${'a.b:'.repeat(900)}</failure></testcase>`.repeat(1_000)}</testsuite>`,
  ],
  ['entities', `<testsuite>${'&#'.repeat(2 * million)}</testsuite>`],
])('a hostile report file is read in linear time: %s', (_, text) => {
  const startedAt = performance.now();
  readReport({ output: '', exitCode: 1, reports: [{ path: 'junit.xml', text }] });
  expect(performance.now() - startedAt).toBeLessThan(15_000);
});
