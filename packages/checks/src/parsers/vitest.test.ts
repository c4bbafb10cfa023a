import { expect, test } from 'vitest';
import { runTool } from '../testing/run-tool.ts';

const red = `import { describe, test, expect } from 'vitest';
describe('suite', () => {
  test('inner > odd', () => expect(1).toBe(2));
  test('ok', () => {});
});
test('plain', () => { throw new Error('boom\\nsecond') });
test.skip('later', () => {});
test.todo('todo');
`;
const green = "import { test } from 'vitest';\ntest('fine', () => {});\n";

test.each([{}, { NO_COLOR: '1' }, { FORCE_COLOR: '1' }])(
  'failing: each test with its position, and files that cannot be loaded, with %o',
  async (environment: Record<string, string>) => {
    const files = { 'a.test.mjs': red, 'b.test.mjs': 'const = ;', 'c.test.mjs': green };
    const { report, exitCode } = await runTool('vitest run', files, { environment });
    expect(exitCode).toBe(1);
    expect(report).toMatchObject({ tool: 'vitest', passed: 2, failed: 3, skipped: 2 });
    const byFile = report?.failures.toSorted((a, b) =>
      `${a.file}${a.line}` < `${b.file}${b.line}` ? -1 : 1,
    );
    expect(byFile).toEqual([
      {
        ...{ file: 'a.test.mjs', line: 3, column: 39, name: 'suite > inner > odd' },
        message: expect.stringMatching(/^AssertionError: expected 1 to be 2/),
      },
      { file: 'a.test.mjs', line: 6, column: 29, name: 'plain', message: 'Error: boom\nsecond' },
      { file: 'b.test.mjs', message: expect.stringContaining('Unexpected token') },
    ]);
  },
);

test.each([{}, { FORCE_COLOR: '1' }])(
  'projects, and tests with the same message, with %o',
  async (environment: Record<string, string>) => {
    const both = ['one two', 'b'].map((name) => ({ test: { name, include: ['*.test.mjs'] } }));
    const files = {
      'vitest.config.mjs': `export default ${JSON.stringify({ test: { projects: both } })};`,
      'a.test.mjs':
        "import { test } from 'vitest';\nfor (const name of ['t1', 't2']) test(name, () => { throw new Error('same'); });\n",
    };
    const { report } = await runTool('vitest run', files, { environment });
    const place = { file: 'a.test.mjs', line: 2, column: 59 };
    const failures = ['t1', 't2', 't1', 't2'].map((name) => ({ ...place, name, message: 'Error: same' }));
    expect(report).toEqual({ tool: 'vitest', passed: 0, failed: 4, skipped: 0, failures });
  },
);

test('failing: an error outside of all tests', async () => {
  const late =
    "import { test } from 'vitest';\ntest('fine', async () => {\n  setTimeout(() => { throw new Error('late'); });\n  await new Promise((done) => setTimeout(done, 50));\n});\n";
  const { report, exitCode } = await runTool('vitest run', { 'a.test.mjs': late });
  expect(exitCode).toBe(1);
  expect(report).toEqual({
    ...{ tool: 'vitest', passed: 1, failed: 1, skipped: 0 },
    failures: [
      { file: 'a.test.mjs', line: 3, column: 28, name: 'Uncaught Exception', message: 'Error: late' },
    ],
  });
});

test('passing', async () => {
  const { report, exitCode } = await runTool('vitest run', { 'a.test.mjs': green });
  expect(exitCode).toBe(0);
  expect(report).toEqual({ tool: 'vitest', passed: 1, failed: 0, skipped: 0, failures: [] });
});

test('crash: an invalid config has no report', async () => {
  const files = { 'vitest.config.mjs': 'export default {', 'a.test.mjs': green };
  const { report, exitCode, output } = await runTool('vitest run', files);
  expect({ report, exitCode }).toEqual({ report: undefined, exitCode: 1 });
  expect(output).toContain('failed to load config');
});

test('empty: vitest fails if there are no tests', async () => {
  const { report, exitCode } = await runTool('vitest run', {});
  expect(exitCode).toBe(1);
  expect(report).toEqual({ tool: 'vitest', passed: 0, failed: 0, skipped: 0, failures: [] });
});

test('several tools in one command are added up', async () => {
  const files = {
    'tsconfig.json': '{ "compilerOptions": { "noEmit": true, "types": [] }, "files": ["wrong.ts"] }',
    'wrong.ts': 'export const a: number = "x";\n',
    'a.test.mjs': green,
  };
  const { report } = await runTool('tsc -p . ; vitest run ; exit 1', files);
  const failures = [{ file: 'wrong.ts' }];
  expect(report).toMatchObject({ tool: 'tsc, vitest', passed: 1, failed: 1, failures });
});
