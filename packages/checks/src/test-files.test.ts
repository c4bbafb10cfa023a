import { expect, test } from 'vitest';
import { isRunnerConfig, isTestFile } from './test-files.ts';

test('tests are recognised by their paths', () => {
  const tests = [
    ...['test/a.js', 'src/__tests__/a.ts', 'a.test.ts', 'test.js', 'pkg/tests/data/a.json'],
    ...['test_a.py', 'a_test.go', 'a_spec.rb', 'ATest.java', 'test-adds.mjs', 'pkg/tests.py', 'spec_a.lua'],
    ...[
      'golden/add.json',
      'src/testdata/a.txt',
      'fixtures/a.json',
      'src/snapshots/a.snap',
      'a/__fixtures__/b',
    ],
    ...['src/__snapshots__/a.snap', 'a.golden.txt', 'src/__mocks__/a.ts'],
  ];
  expect(tests.filter((path) => !isTestFile(path))).toEqual([]);
  const others = [
    'src/a.ts',
    'latest.js',
    'contest/a.ts',
    'src/testing.ts',
    'attest.py',
    'spec.md',
    'src/expectedness.ts',
  ];
  expect(others.filter(isTestFile)).toEqual([]);
});

test('the configs of runners are recognised by their paths', () => {
  const configs = [
    ...['vitest.config.ts', '.mocharc.json', 'packages/a/jest.config.cjs', 'tsconfig.build.json'],
    ...['tox.ini', 'conftest.py', 'Makefile', 'biome.json'],
  ];
  expect(configs.filter((path) => !isRunnerConfig(path))).toEqual([]);
  const others = ['src/config.ts', 'package.json', 'app.config.ts', 'README.md'];
  expect(others.filter(isRunnerConfig)).toEqual([]);
});
