import { expect, test } from 'vitest';
import { runTool } from '../testing/run-tool.ts';

const bad = {
  'biome.json': '{}\n',
  'src/a b.js': 'export   const b = 1;\nif (b == 2) {\n\tdebugger;\n}\n',
  'warned.js': 'let a = 1;\n\nexport { a };\n',
};
const failures = [
  { rule: 'lint/suspicious/noDoubleEquals', line: 2, column: 7, message: /^Using == may be unsafe/ },
  { rule: 'lint/suspicious/noDebugger', line: 3, column: 2, message: /^This is an unexpected use/ },
  { rule: 'format', message: /^(Formatter would have printed|File content differs)/ },
].map(({ message, ...failure }) => ({
  file: 'src/a b.js',
  ...failure,
  message: expect.stringMatching(message),
}));

test.each([
  'biome check src warned.js',
  'biome check --colors=force src warned.js',
  'biome ci src warned.js',
])('failing: errors with file, position and rule, without warnings: %s', async (command) => {
  const { report, exitCode } = await runTool(command, bad);
  expect(exitCode).toBe(1);
  expect(report).toMatchObject({ tool: 'biome', failed: 3 });
  expect(report?.failures).toHaveLength(3);
  expect(report?.failures).toEqual(expect.arrayContaining(failures));
});

test('all problems are counted, although biome prints only twenty', async () => {
  const code = 'export const b = 1;\n'.concat(...Array.from({ length: 30 }, () => 'if (b == 2) b.c();\n'));
  const { report } = await runTool('biome lint a.js', { 'biome.json': '{}\n', 'a.js': code });
  expect([report?.failed, report?.failures.length]).toEqual([30, 20]);
});

test('warnings fail the check if they count as errors', async () => {
  const { report } = await runTool('biome lint --error-on-warnings warned.js', bad);
  expect(report).toMatchObject({ failed: 1, failures: [{ file: 'warned.js', rule: 'lint/style/useConst' }] });
});

test('passing', async () => {
  const files = { 'biome.json': '{}\n', 'a.js': 'export const a = 1;\n' };
  const { report, exitCode } = await runTool('biome check a.js', files);
  expect({ report, exitCode }).toEqual({ report: undefined, exitCode: 0 });
});

test('crash: an invalid config', async () => {
  const { report, exitCode } = await runTool('biome check .', { 'biome.json': '{ bad' });
  expect(exitCode).toBe(1);
  expect(report?.failures[0]).toMatchObject({ file: 'biome.json', line: 1, rule: 'parse' });
});

test('empty: biome fails if there are no files', async () => {
  const { report, exitCode } = await runTool('mkdir e && biome check e', { 'biome.json': '{}\n' });
  expect(exitCode).toBe(1);
  expect(report).toEqual({ tool: 'biome', failed: 0, failures: [] });
});
