/** Recorded output of the real tools. Each file ends with the exit code. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readReport } from '../read-report.ts';

const folder = join(import.meta.dirname, '../testing/outputs');

function readOutput(name: string) {
  const text = readFileSync(join(folder, `${name}.txt`), 'utf8');
  const end = text.lastIndexOf('exit ');
  return { output: text.slice(0, end), exitCode: Number(text.slice(end + 5)), folder: '/srv/project' };
}

/** The failures of projects of which there is more than one recording. */
const inMocha = ['plain', 'suite > "before each" hook for "hooked"'];
const inGo = ['a.TestAdd/one', 'a.TestAdd/two_things', 'a.TestPlain', 'a.ExampleAdd', 'c', 'e.TestE'].map(
  (name) => `example.com/m/${name}`,
);
const inCargo = ['src/lib.rs tests::adds_up', 'tests/outer.rs outer', 'src/lib.rs - add'];
const inUnittest = [
  ...['test_a.TestS.test_err', 'test_b', 'test_a.TestS.test_in'],
  ...['test_a.TestS.test_sub (i=0)', 'test_a.TestS.test_sub (i=2)'],
];
const inPytest = ['test_pt.py TestS.test_in', 'test_pt.py test_p[a b]', 'test_pt.py test_p[c]'];

type Counts = [passed: number, failed: number, skipped: number];

const tests: [name: string, tool: string, counts: Counts, names: string[]][] = [
  ['mocha-spec', 'mocha', [1, 2, 2], inMocha],
  ['mocha-dot', 'mocha', [1, 2, 2], inMocha],
  ['mocha-min', 'mocha', [1, 2, 2], inMocha],
  ['ava', 'ava', [2, 4, 3], ['a › adds up', 'a › throws', 'a › noassert', 'b › rejects']],
  ['ava-tap', 'tap', [3, 5, 1], ['b › rejects', 'a › adds up', 'a › throws', 'a › noassert']],
  [
    'tape',
    'tap',
    [1, 3, 0],
    ['sums > one is two', 'throws > should throw', 'deep > should be deeply equivalent'],
  ],
  ['tap', 'tap', [2, 2, 1], ['a.test.js > suite > adds up', 'a.test.js > top level']],
  ['tap-reporter', 'tap', [2, 2, 1], ['a.test.js suite > adds up', 'a.test.js top level']],
  ['bats', 'tap', [1, 1, 1], ['subtracts']],
  ['jasmine', 'jasmine', [1, 2, 1], ['suite inner throws', 'suite adds up']],
  [
    'bun',
    'bun test',
    [2, 3, 2],
    ['a.test.ts suite > adds up', 'a.test.ts suite > in > ner > deep', 'a.test.ts plain'],
  ],
  ['deno', 'deno test', [1, 2, 1], ['a_test.ts adds up', 'a_test.ts steps ... one']],
  ['go', 'go test', [1, 6, 0], inGo],
  ['go-v', 'go test', [3, 6, 1], inGo],
  ['cargo', 'cargo test', [2, 3, 1], inCargo],
  ['cargo-1.95', 'cargo test', [2, 3, 1], inCargo],
  ['nextest', 'cargo test', [2, 1, 1], ['demo tests::adds_up']],
  ['unittest', 'unittest', [1, 5, 2], inUnittest],
  ['unittest-v', 'unittest', [1, 5, 2], inUnittest],
  ['pytest-xdist', 'pytest', [2, 3, 0], [...inPytest.slice(1), ...inPytest.slice(0, 1)]],
  ['pytest-cov', 'pytest', [2, 3, 0], inPytest],
  ['pytest-tb-line', 'pytest', [2, 3, 0], inPytest],
  ['rspec', 'rspec', [1, 2, 2], ['spec/a_spec.rb Suite adds up', 'spec/a_spec.rb Suite inner throws']],
  ['minitest', 'minitest', [1, 2, 1], ['TestS#test_err', 'TestS#test_in']],
  ['test-unit', 'minitest', [1, 2, 1], ['TestU#test_err', 'TestU#test_in']],
  [
    'phpunit',
    'phpunit',
    [2, 3, 1],
    ['ATest::testErr', 'ATest::testIn', 'ATest::testData with data set "two"'],
  ],
  ['surefire', 'surefire', [1, 2, 1], ['com.example.AppTest.addsUp', 'com.example.AppTest.throwsOne']],
  ['surefire-2', 'surefire', [1, 2, 1], ['x.AppTest.addsUp', 'x.AppTest.throwsOne']],
  ['gradle', 'gradle', [1, 2, 1], ['AppTest > addsUp()', 'AppTest > throwsOne()']],
  ['ctest-oof', 'ctest', [1, 2, 1], ['bad_one', 'missing']],
  ['gtest', 'gtest', [2, 1, 0], ['Sum.Adds']],
  ['automake', 'counts', [1, 1, 1], ['b.sh']],
  ['unity', 'counts', [1, 1, 0], ['test_b']],
  ['counted-lines', 'counts', [12, 1, 0], []],
  ['counted', 'counts', [41, 1, 0], ['parses numbers']],
];

const problems: [name: string, tool: string, failed: number, first: object][] = [
  ['xo', 'xo', 7, { file: 'pp.js', line: 1, column: 12, rule: '@stylistic/semi-spacing' }],
  ['prettier', 'prettier', 1, { file: 'pp.js', rule: 'format' }],
  ['black', 'black', 2, { file: 'lint.py', rule: 'format' }],
  ['ruff-format', 'ruff format', 2, { file: 'src/a b.py', rule: 'format' }],
  ['rustfmt', 'rustfmt', 1, { file: 'src/lib.rs', rule: 'format' }],
  ['ruff', 'ruff', 2, { file: 'lint.py', line: 1, column: 8, rule: 'F401' }],
  ['ruff-concise', 'ruff', 2, { file: 'lint.py', line: 1, column: 8, rule: 'F401' }],
  [
    'flake8',
    'flake8',
    10,
    { file: 'lint.py', line: 1, column: 1, rule: 'F401', message: "'os' imported but unused" },
  ],
  ['mypy', 'mypy', 1, { file: 'lint.py', line: 5, rule: 'assignment' }],
  ['go-vet', 'go', 1, { file: 'c/c.go', line: 3, column: 23, message: 'undeclared name: x' }],
  ['go-vet-format', 'go', 1, { file: 'a.go', line: 5, column: 2 }],
  [
    'golangci-lint',
    'go',
    2,
    { file: 'a.go', line: 9, column: 6, rule: 'unused', message: 'func `unused` is unused' },
  ],
  ['rustc', 'rustc', 1, { file: 'src/lib.rs', line: 1, column: 22, rule: 'E0425' }],
  ['clippy', 'rustc', 3, { file: 'src/lib.rs', line: 2, column: 67, rule: 'clippy::needless_return' }],
  ['gcc', 'cc', 1, { file: 'bad.c', line: 1, column: 25 }],
];

test.each(tests)('tests: %s', (name, tool, [passed, failed, skipped], names) => {
  const report = readReport(readOutput(name));
  expect(report).toMatchObject({ tool, passed, failed, skipped });
  expect(report?.failures.map((failure) => [failure.file, failure.name].filter(Boolean).join(' '))).toEqual(
    names,
  );
});

test.each(problems)('problems: %s', (name, tool, failed, first) => {
  const report = readReport(readOutput(name));
  expect(report).toMatchObject({
    tool,
    failed,
    failures: [expect.objectContaining(first), ...Array(failed - 1).fill(expect.anything())],
  });
  expect(report).not.toHaveProperty('passed');
});

test.each([...tests, ...problems].map(([name]) => name))(
  'with colours, and with the line ends of Windows: %s',
  (name) => {
    const { output, ...run } = readOutput(name);
    const coloured = output.replaceAll(/^(.+)$/gm, '\u001b[31m$1\u001b[39m').replaceAll('\n', '\r\n');
    expect(readReport({ output: coloured, ...run })).toEqual(readReport({ output, ...run }));
  },
);

test('each output is used', () => {
  const used = [...tests, ...problems].map(([name]) => `${name}.txt`);
  const others = readdirSync(folder).filter((name) => !used.includes(name));
  expect(others.filter((name) => !/^(?:unreachable|missing|offline)-/.test(name))).toEqual([]);
});
