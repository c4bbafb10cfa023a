import { expect, test } from 'vitest';
import { runTool } from '../testing/run-tool.ts';

const config = '{ "compilerOptions": { "strict": true, "noEmit": true, "types": [] } }';
const files = {
  'tsconfig.json': config,
  '(group)/a.ts': 'export const a: number = "x";\nmissing();\n',
  'b.ts': 'export function f(x: (a: string) => void) { return x; }\nf((a: number) => a);\n',
};
const failures = [
  {
    ...{ file: '(group)/a.ts', line: 1, column: 14, rule: 'TS2322' },
    message: "Type 'string' is not assignable to type 'number'.",
  },
  { file: '(group)/a.ts', line: 2, column: 1, rule: 'TS2304', message: "Cannot find name 'missing'." },
  {
    ...{ file: 'b.ts', line: 2, column: 3, rule: 'TS2345' },
    message: expect.stringMatching(/^Argument of type [^\n]*\n {2}Types of parameters [^\n]*\n {4}Type /),
  },
];

test('failing: each error with its position and explanation', async () => {
  const { report, exitCode } = await runTool('tsc -p .', files);
  expect(exitCode).not.toBe(0);
  expect(report).toEqual({ tool: 'tsc', failed: 3, failures });
});

test('failing, in the pretty form with colours', async () => {
  const { report, output } = await runTool('tsc -p . --pretty', files);
  expect(output).toContain('\u001b[');
  expect(report).toEqual({ tool: 'tsc', failed: 3, failures });
});

test('passing: no output, no report', async () => {
  const fine = { 'tsconfig.json': config, 'a.ts': 'export {};' };
  const { report, exitCode, output } = await runTool('tsc -p .', fine);
  expect({ report, exitCode, output }).toEqual({ report: undefined, exitCode: 0, output: '' });
});

test('crash: an invalid config is an error in that file', async () => {
  const { report } = await runTool('tsc -p .', { 'tsconfig.json': '{ bad', 'a.ts': 'export {};' });
  const rule = expect.stringMatching(/^TS/);
  expect(report?.failures[0]).toMatchObject({ file: 'tsconfig.json', line: 1, rule });
});

test('empty: no input is an error without a position', async () => {
  const { report } = await runTool('tsc -p .', { 'tsconfig.json': '{ "include": ["nothing"] }' });
  expect(report).toEqual({
    tool: 'tsc',
    failed: 1,
    failures: [{ rule: 'TS18003', message: expect.stringMatching(/^No inputs were found in config file/) }],
  });
});

test('lines that look like errors are ignored in a successful run', async () => {
  const { report } = await runTool('echo "a.ts(1,7): error TS2322: as an example"', {});
  expect(report).toBeUndefined();
});
