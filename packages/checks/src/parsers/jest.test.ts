import { expect, test } from 'vitest';
import { runTool } from '../testing/run-tool.ts';

const manifest = { 'package.json': '{ "name": "x" }' };
const red = `describe('suite', () => {
  test('inner › odd', () => {
    console.log('said');
    expect(1).toBe(2);
  });
  test('ok', () => {});
});
test('plain', () => { throw new Error('boom\\nsecond') });
test.skip('later', () => {});
test.todo('todo');
`;
const green = "test('fine', () => {});\n";

test.each(['jest', 'jest --verbose', 'jest --colors'])(
  'failing: each test with its position: %s',
  async (command) => {
    const files = { ...manifest, 'src/a.test.js': red, 'b.test.js': 'const = ;', 'c.test.js': green };
    const { report, exitCode } = await runTool(command, files);
    expect(exitCode).toBe(1);
    expect(report).toMatchObject({ tool: 'jest', passed: 2, failed: 3, skipped: 2 });
    expect(
      report?.failures.toSorted((a, b) => (`${a.file}${a.line}` < `${b.file}${b.line}` ? -1 : 1)),
    ).toEqual([
      {
        file: 'b.test.js',
        name: 'Test suite failed to run',
        message: expect.stringMatching(/^Jest encountered an unexpected token/),
      },
      {
        ...{ file: 'src/a.test.js', line: 4, column: 15, name: 'suite › inner › odd' },
        message: expect.stringMatching(
          /^expect\(received\)\.toBe\(expected\)[\s\S]*Expected: 2\nReceived: 1$/,
        ),
      },
      { file: 'src/a.test.js', line: 8, column: 29, name: 'plain', message: 'boom\nsecond' },
    ]);
  },
);

test('many failures are printed twice and counted once', async () => {
  const failing = Object.fromEntries(
    Array.from({ length: 22 }, (_, index) => [`t${index}.test.js`, "test('fails', () => { throw 1; });\n"]),
  );
  const { report, output } = await runTool('jest', { ...manifest, ...failing });
  expect(output).toContain('Summary of all failing tests');
  expect([report?.failed, report?.failures.length]).toEqual([22, 22]);
});

test('passing', async () => {
  const { report, exitCode } = await runTool('jest', { ...manifest, 'a.test.js': green });
  expect(exitCode).toBe(0);
  expect(report).toEqual({ tool: 'jest', passed: 1, failed: 0, skipped: 0, failures: [] });
});

test('crash: an invalid config has no report', async () => {
  const files = { ...manifest, 'jest.config.js': 'module.exports = {', 'a.test.js': green };
  const { report, exitCode, output } = await runTool('jest', files);
  expect({ report, exitCode }).toEqual({ report: undefined, exitCode: 1 });
  expect(output).toContain('SyntaxError');
});

test('empty: jest fails if there are no tests', async () => {
  const { report, exitCode } = await runTool('jest', manifest);
  expect(exitCode).toBe(1);
  expect(report).toEqual({ tool: 'jest', passed: 0, failed: 0, skipped: 0, failures: [] });
});
