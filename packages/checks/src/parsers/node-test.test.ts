import { expect, test } from 'vitest';
import { runTool } from '../testing/run-tool.ts';

const red = `import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
describe('suite', () => {
  it('inner (1ms)', () => assert.equal(1, 2));
  it('ok', () => {});
});
test('plain', () => { throw new Error('boom\\nsecond') });
test('later', { skip: true }, () => {});
test('todo', { todo: true }, () => {});
`;
const green = "import test from 'node:test';\ntest('fine', () => {});\n";
const place = { file: 'src/a.test.mjs', column: expect.any(Number) };

test.each([{}, { FORCE_COLOR: '1' }])(
  'failing: each test with its position, with %o',
  async (environment: Record<string, string>) => {
    const files = { 'src/a.test.mjs': red, 'src/b.test.mjs': 'import {', 'src/c.test.mjs': green };
    const { report, exitCode } = await runTool('node --test', files, { environment });
    expect(exitCode).toBe(1);
    expect(report).toEqual({
      ...{ tool: 'node:test', passed: 2, failed: 3, skipped: 2 },
      failures: [
        { ...place, line: 4, name: 'inner (1ms)', message: expect.stringMatching(/^AssertionError .*equal/) },
        { ...place, line: 7, name: 'plain', message: 'Error: boom\nsecond' },
        { ...place, file: 'src/b.test.mjs', line: 1, name: 'src/b.test.mjs', message: "'test failed'" },
      ],
    });
  },
);

test('failing, in the default format up to Node 18', async () => {
  const { report } = await runTool('node --test --test-reporter=tap', { 'src/a.test.mjs': red });
  expect(report).toEqual({
    ...{ tool: 'tap', passed: 1, failed: 2, skipped: 2 },
    failures: [
      {
        ...{ ...place, line: 4, name: 'suite > inner (1ms)' },
        message: expect.stringMatching(/Expected values to be strictly/),
      },
      { ...place, line: 7, name: 'plain', message: 'boom\nsecond' },
    ],
  });
});

test('two runs in one command are added up', async () => {
  const { report } = await runTool('node --test a.mjs ; node --test b.mjs', {
    'a.mjs': "import test from 'node:test';\ntest('one', () => { throw new Error('1'); });\n",
    'b.mjs':
      "import test from 'node:test';\ntest('two', () => { throw new Error('2'); });\ntest('ok', () => {});\n",
  });
  expect(report).toMatchObject({ passed: 1, failed: 2, failures: [{ name: 'one' }, { name: 'two' }] });
});

test.each(['spec', 'tap'])('passing, as %s', async (reporter) => {
  const command = `node --test --test-reporter=${reporter}`;
  const { report, exitCode } = await runTool(command, { 'a.test.mjs': green });
  expect(exitCode).toBe(0);
  expect(report).toMatchObject({ passed: 1, failed: 0, skipped: 0, failures: [] });
});

test('crash: a missing reporter has no report', async () => {
  const command = 'node --test --test-reporter=./absent.mjs';
  const { report, exitCode, output } = await runTool(command, { 'a.test.mjs': green });
  expect({ report, exitCode: exitCode === 0 }).toEqual({ report: undefined, exitCode: false });
  expect(output).toContain('absent.mjs');
});

test('empty: no tests', async () => {
  const { report, exitCode } = await runTool('node --test', {});
  expect(exitCode).toBe(0);
  expect(report).toEqual({ tool: 'node:test', passed: 0, failed: 0, skipped: 0, failures: [] });
});
