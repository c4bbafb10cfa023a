import { expect, test } from 'vitest';
import { runTool } from '../testing/run-tool.ts';

const config = `export default [{ rules: { 'no-undef': 2, 'no-unused-vars': 1, 'no-empty': 2 } }];`;

test.each(['eslint .', 'eslint --color .'])(
  'failing: errors with position and rule, without warnings: %s',
  async (command) => {
    const { report, exitCode } = await runTool(command, {
      'eslint.config.mjs': config,
      'src/a.mjs': 'const a = 1;\nif (b) {}\n',
      'syntax.mjs': 'export const a = (;\n',
    });
    expect(exitCode).toBe(1);
    expect(report).toEqual({
      tool: 'eslint',
      failed: 3,
      failures: [
        { file: 'src/a.mjs', line: 2, column: 5, rule: 'no-undef', message: "'b' is not defined" },
        { file: 'src/a.mjs', line: 2, column: 8, rule: 'no-empty', message: 'Empty block statement' },
        { file: 'syntax.mjs', line: 1, column: 19, message: 'Parsing error: Unexpected token ;' },
      ],
    });
  },
);

test('warnings fail the check if there are too many', async () => {
  const files = { 'eslint.config.mjs': config, 'a.mjs': 'const a = 1;\n' };
  const { report, exitCode } = await runTool('eslint --max-warnings 0 .', files);
  expect(exitCode).toBe(1);
  expect(report).toMatchObject({ failed: 1, failures: [{ file: 'a.mjs', line: 1, rule: 'no-unused-vars' }] });
});

test('passing: no output, no report', async () => {
  const files = { 'eslint.config.mjs': config, 'a.mjs': 'export {};' };
  const { report, exitCode } = await runTool('eslint .', files);
  expect({ report, exitCode }).toEqual({ report: undefined, exitCode: 0 });
});

test.each([
  ['crashed', { 'eslint.config.mjs': 'export default [', 'a.mjs': '' }],
  ['empty', { 'eslint.config.mjs': config }],
])('%s: no report', async (_, files: Record<string, string>) => {
  const { report, exitCode, output } = await runTool('eslint a.mjs', files);
  expect({ report, exitCode }).toEqual({ report: undefined, exitCode: 2 });
  expect(output).toContain('Something went wrong');
});
