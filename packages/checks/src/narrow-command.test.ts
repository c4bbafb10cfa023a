import { expect, test } from 'vitest';
import { nameTests, narrowCommand } from './narrow-command.ts';

const scripts = {
  test: 'npm run lint && vitest run --coverage',
  lint: 'eslint . --max-warnings 0',
  unit: 'cross-env NODE_ENV=test mocha test/*.js --exit',
  old: 'sh test.sh | tee log',
};

test.each([
  ['npm test', { paths: ['a.test.ts'] }, "vitest run --coverage 'a.test.ts'"],
  ['npm run --silent test', { paths: [], pattern: 'adds up' }, "vitest run --coverage -t 'adds up'"],
  ['pnpm lint', { paths: ['src/a.ts'] }, "eslint --max-warnings 0 'src/a.ts'"],
  ['yarn unit', { paths: ['test/a.js'] }, "cross-env NODE_ENV=test mocha --exit 'test/a.js'"],
  [
    'yarn unit',
    { paths: [], pattern: "it's" },
    "cross-env NODE_ENV=test mocha test/*.js --exit --grep 'it'\\''s'",
  ],
  ['node --test', { paths: ['a.mjs'], pattern: 'x' }, "node --test --test-name-pattern 'x' 'a.mjs'"],
  ['go test ./...', { paths: ['pkg/a/b_test.go', 'pkg/a/c.go', 'main.go'] }, "go test './pkg/a' '.'"],
  ['cargo test', { paths: [], pattern: 'sums' }, "cargo test 'sums'"],
  [
    'python -m pytest -q',
    { paths: ['tests/test_a.py'], pattern: 'b' },
    "python -m pytest -q -k 'b' 'tests/test_a.py'",
  ],
])('%s %o', (command, part, wanted) => {
  expect(narrowCommand(command, scripts, part)).toEqual({
    ok: true,
    command: `PATH="$PWD/node_modules/.bin:$PATH" ${wanted}`,
  });
});

test.each([
  ['npm run old', { paths: ['a.js'] }, 'is not a plain command'],
  ['make test', { paths: ['a.js'] }, 'does not know how «make test»'],
  ['cargo test', { paths: ['a.rs'] }, 'cargo test takes no paths'],
  ['npm run lint', { paths: [], pattern: 'x' }, 'eslint takes no pattern'],
])('%s %o is refused', (command, part, reason) => {
  expect(narrowCommand(command, scripts, part)).toEqual({
    ok: false,
    reason: expect.stringContaining(reason),
  });
});

test.each([
  ['npm test', "vitest run --reporter=verbose --coverage 'a.test.ts'"],
  ['npx jest --ci', "npx jest --verbose --ci 'a.test.ts'"],
  ['python -m pytest -q tests', "python -m pytest -rA -q tests 'a.test.ts'"],
  ['go test ./...', "go test -v '.'"],
  ['node --test', undefined],
  ['sh test.sh | tee log', undefined],
])('%s names the tests that pass', (command, wanted) => {
  const named = nameTests(command, scripts, ['a.test.ts']);
  expect(named).toBe(wanted && `PATH="$PWD/node_modules/.bin:$PATH" ${wanted}`);
});
