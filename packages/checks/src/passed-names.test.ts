import { expect, test } from 'vitest';
import { countPasses, readPassedNames } from './passed-names.ts';

test.each([
  ['node:test', '▶ suite\n  ✔ inner (0.5ms)\n✔ adds (1ms)\n﹣ later (0.1ms) # SKIP', ['inner', 'adds']],
  ['tap', 'ok 1 - adds\nnot ok 2 - b\nok 3 - later # SKIP', ['adds']],
  ['vitest', ' ✓ a.test.ts > suite > adds 3ms', ['a.test.ts > suite > adds']],
  ['jest', '    ✓ adds (2 ms)\n    ○ skipped later', ['adds']],
  ['pytest', 'test_a.py::TestS::test_in[a - b] PASSED [ 50%]', ['test_a.py::TestS::test_in[a - b]']],
  ['cargo', 'test tests::adds ... ok\ntest tests::b ... FAILED', ['tests::adds']],
  ['go', '--- PASS: TestAdd (0.00s)\n    --- SKIP: TestB (0.00s)', ['TestAdd']],
  ['bun', '(pass) suite > adds [0.10ms]', ['suite > adds']],
  ['counts only', 'Tests  3 passed (3)', []],
])('%s', (_, output, names) => {
  expect(readPassedNames({ output, exitCode: 0 })).toEqual(names);
});

test('a report file names its passed tests', () => {
  const text =
    '<testsuite><testcase classname="S" name="adds"/><testcase name="b"><failure/></testcase><testcase name="c"><skipped/></testcase></testsuite>';
  expect(readPassedNames({ output: '', exitCode: 0, reports: [{ path: 'r.xml', text }] })).toEqual([
    'S adds',
  ]);
});

test.each([
  ['adds', 'adds', 1],
  ['suite > adds', 'adds', 1],
  ['suite > adds', 'a.test.ts > suite > adds', 1],
  ['TestS.test_in', 'a.test.ts::TestS::test_in', 1],
  ['adds', 'adds more', 0],
  ['adds', '', 0],
])('the test %j passes as %j: %i', (name, printed, count) => {
  expect(countPasses([printed], { file: 'a.test.ts', name, message: '' })).toBe(count);
});
