import { afterAll, describe, expect, test } from 'vitest';
import { relatedCommand } from './related-command.ts';
import { findPytest } from './testing/find-pytest.ts';
import { runTool } from './testing/run-tool.ts';

const scripts = { test: 'npm run lint && vitest run --coverage', old: 'jest src' };
const path = 'PATH="$PWD/node_modules/.bin:$PATH" ';
const files = [
  ...['src/sum.js', 'src/index.js', 'src/sum.test.js', 'src/other.test.js', 'test/helper.js', 'package.json'],
  ...['app/parse.py', 'app/__init__.py', 'tests/test_parse.py', 'tests/test_app.py'],
  ...['tests/conftest.py', 'tests/helper.py'],
  ...['pkg/a/a.go', 'pkg/a/testdata/x.go', 'main.go', 'lib/sum.rb', 'spec/sum_spec.rb', 'README.md'],
];

test.each([
  ['npm test', ['src/sum.js', 'README.md'], "vitest related --run --coverage 'src/sum.js'"],
  ['npm run old', ['src/sum.js'], "jest --findRelatedTests 'src/sum.js'"],
  ['npx mocha test/**/*.js --exit', ['src/sum.js'], "npx mocha --exit 'src/sum.test.js'"],
  ['node --test', ['src/other.test.js'], "node --test 'src/other.test.js'"],
  [
    'PYTHONPATH=src python3 -m pytest -q tests',
    ['app/parse.py'],
    "PYTHONPATH=src python3 -m pytest -q 'tests/test_parse.py'",
  ],
  [
    'uv run --no-sync pytest',
    ['app/__init__.py', 'tests/test_parse.py'],
    "uv run --no-sync pytest 'tests/test_app.py' 'tests/test_parse.py'",
  ],
  ['go test -v ./...', ['pkg/a/a.go', 'main.go'], "go test -v './pkg/a' '.'"],
  ['bundle exec rspec', ['lib/sum.rb'], "bundle exec rspec 'spec/sum_spec.rb'"],
])('%s %o', (command, changed, expected) => {
  expect(relatedCommand(command, scripts, changed, files)).toBe(`${path}${expected}`);
});

test.each([
  ['an unknown tool', 'make test', ['main.go']],
  ['a tool that cannot select tests by files', 'cargo test', ['src/lib.rs']],
  ['a linter', 'eslint .', ['src/sum.js']],
  ['a file that all tests may need', 'npm test', ['src/sum.js', 'package.json']],
  ['a file that configures the tests', 'python3 -m pytest', ['tests/conftest.py']],
  ['no test of that name', 'python3 -m pytest', ['tests/helper.py']],
  ['no code', 'npm test', ['README.md']],
  ['a deleted file', 'npm test', ['src/gone.js']],
  ['a line for a shell', 'vitest run | tee log', ['src/sum.js']],
  ['test data', 'go test ./...', ['pkg/a/testdata/x.go']],
])('%s: the whole suite is needed', (_, command, changed) => {
  expect(relatedCommand(command, scripts, changed, files)).toBeUndefined();
});

const javascript = {
  'sum.mjs': 'export const sum = (a, b) => a + b;\n',
  'user.mjs': "export * from './sum.mjs';\n",
  'other.mjs': 'export const other = 1;\n',
};
const importing = (module: string) =>
  `import { test } from 'vitest';\nimport './${module}';\ntest('${module}', () => {});\n`;

test('vitest runs the tests that import the changed file, and no other', async () => {
  const all = { ...javascript, 'a.test.mjs': importing('user.mjs'), 'b.test.mjs': importing('other.mjs') };
  const command = relatedCommand('vitest run', {}, ['sum.mjs'], Object.keys(all)) ?? '';
  const { report, output } = await runTool(command, all);
  expect(report).toMatchObject({ tool: 'vitest', passed: 1, failed: 0 });
  expect(output).not.toContain('b.test.mjs');
});

test('jest runs the tests that import the changed file, and no other', async () => {
  const all = {
    'package.json': '{}',
    'sum.js': 'module.exports = 1;\n',
    'a.test.js': "require('./sum.js');\ntest('a', () => {});\n",
    'b.test.js': "test('b', () => {});\n",
  };
  const command = relatedCommand('jest', {}, ['sum.js'], Object.keys(all)) ?? '';
  const { report } = await runTool(command, all);
  expect(report).toMatchObject({ tool: 'jest', passed: 1, failed: 0 });
});

const pytest = await findPytest();
afterAll(() => (pytest.ok ? pytest.remove() : undefined));
describe.runIf(pytest.ok)('pytest', () => {
  test('runs the tests that are named like the changed module, and no other', async () => {
    if (!pytest.ok) throw new Error(pytest.reason);
    const all = {
      'app/parse.py': '',
      'tests/test_parse.py': 'def test_a(): pass\n',
      'tests/test_other.py': 'def test_b(): assert 0\n',
    };
    const command = relatedCommand(pytest.command, {}, ['app/parse.py'], Object.keys(all)) ?? '';
    const { report } = await runTool(command, all, { environment: pytest.environment });
    expect(report).toMatchObject({ tool: 'pytest', passed: 1, failed: 0 });
  });
});
