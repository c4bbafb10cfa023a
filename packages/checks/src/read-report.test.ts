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
/** Lines that make each further parser look for failures. */
const others = [
  ...['  1 passing (1ms)', '  1 failing', '  1 test failed', '  ─', '1 spec, 1 failure', 'Failures:'],
  ...['bun test v1', ' 1 fail', 'FAILED | 1 passed | 1 failed', ' ERRORS ', 'Ran 1 test in 1s'],
  ...['FAILED (failures=1)', 'FAIL\tx\t1s', 'test result: FAILED. 1 passed; 1 failed; 0 ignored;'],
  ...['PHPUnit 9.6', 'There was 1 error:'],
  ...['Tests run: 1, Failures: 1, Errors: 0, Skipped: 0', '> Task :test', '1 test completed, 1 failed'],
  ...['1 example, 1 failure', '1 runs, 1 assertions, 1 failures, 0 errors, 0 skips'],
  ...['Found 1 error.', '  1 error'],
  ...['50% tests passed, 1 tests failed out of 2', '[==========] 1 test from 1 test suite ran.', '# pass  1'],
];
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

for (const line of [
  '  1) a:',
  '  ✘ [fail]: a b c d',
  '1) a',
  '(fail) a [1ms]',
  'a => a:1:1',
  'FAIL: a (a.a) (a) [a]',
  '--- FAIL: a/a/a/a/a/a/a/a/a (1s)',
  '=== RUN a',
  'test a ... FAILED',
  "thread 'a' panicked at a.rs:1:1: a, a.rs:1:1, a",
  'a -- Time elapsed: 1 s <<< FAILURE! a(a)',
  'a > a > a > a FAILED',
  "rspec ./a:1 # 'a",
  'Failure:\na#a [a:1]:',
  'a.py:1:1: A1 a.py:1:1: A1',
  'error: a\n --> a:1:1',
  'a.go:1:1: a (a, a) (a',
  '        # Subtest: a',
]) {
  const long = `${line} `.repeat(Math.ceil(1_990 / line.length));
  hostile[`long lines like «${line.split('\n')[0]}»`] = `${others.join('\n')}\n${`${long}\n`.repeat(5_000)}`;
  hostile[`many lines like «${line.split('\n')[0]}»`] =
    `${others.join('\n')}\n${`${line}\n\n\n`.repeat(20_000)}`;
}

test.each(Object.keys(hostile))('hostile output is read in linear time: %s', (name) => {
  const startedAt = performance.now();
  readReport({ output: `${hostile[name]}\n${ends}${others.join('\n')}\n`, exitCode: 1 });
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
