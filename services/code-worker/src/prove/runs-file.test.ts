import { expect, test } from 'vitest';
import { configNames, listConfigs, runsFile } from './runs-file.ts';

test.each([
  ['node scripts/check.mjs', 'scripts/check.mjs'],
  ['CI=1 ./check.sh --all', 'check.sh'],
  ['npm run build && bash tools/run.sh', 'tools/run.sh'],
  ['python3 -u tools/run.py', 'tools/run.py'],
  ['[{"test":"bun run check.ts"}]', 'check.ts'],
  ['node --import=./register.mjs --test', 'register.mjs'],
  ['node --import ./test/register.mjs --test', 'test/register.mjs'],
  ["node --import './register.mjs' --test", 'register.mjs'],
  ['NODE_OPTIONS=--import=./register.mjs node --test', 'register.mjs'],
  ['jest --config config/jest.js', 'config/jest.js'],
  ['npx jest --config=config/jest.js', 'config/jest.js'],
  ['mocha --require ./test/support', 'test/support/index.js'],
  ['mocha -r ./x', 'x.ts'],
  ['eslint --config config/eslint.js src', 'config/eslint.js'],
  ['pytest -p tools.plugin', 'tools/plugin.py'],
  ['node other.mjs rules.json', 'rules.json'],
  ['./run-tests cases/all.txt', 'cases/all.txt'],
])('%s runs %s', (command, path) => expect(runsFile(command, path)).toBe(true));

test.each([
  ['node --check sum.mjs', 'sum.mjs'],
  ['eslint src/a.ts', 'src/a.ts'],
  ['npx prettier --check src/a.ts', 'src/a.ts'],
  ['node --test a.test.mjs', 'a.test.mjs'],
  ['jest test/a.js', 'test/a.js'],
  ['make check', 'check'],
  ['npm test', 'test.js'],
])('%s does not run %s', (command, path) => expect(runsFile(command, path)).toBe(false));

test('paths are relative to the folder of the command, or to the root', () => {
  expect(runsFile('node --import ./x.mjs --test', 'packages/a/x.mjs', 'packages/a')).toBe(true);
  expect(runsFile('node --import ./x.mjs --test', 'packages/b/x.mjs', 'packages/a')).toBe(false);
});

test('a configuration names setup files, and its tests are none', () => {
  const text =
    "module.exports = { setupFiles: ['<rootDir>/test/setup.js', './a/b'], testMatch: ['a.test.js'] }";
  expect(configNames(text, 'test/setup.js', '')).toBe(true);
  expect(configNames(text, 'config/a/b.ts', 'config')).toBe(true);
  expect(configNames(text, 'a.test.js', '')).toBe(false);
  expect(configNames(text, 'src/a.js', '')).toBe(false);
});

test('the configurations of a command are found', () => {
  expect(listConfigs('jest --config=a/jest.js && mocha --config b.json -c c.yml')).toEqual([
    ...['a/jest.js', 'b.json', 'c.yml'],
  ]);
});
