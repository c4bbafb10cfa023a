import { afterAll, describe, expect, test } from 'vitest';
import { findPytest } from '../testing/find-pytest.ts';
import { runTool } from '../testing/run-tool.ts';

const red = `import pytest

def test_ok(): pass

class TestS:
    def test_in(self):
        assert 1 == 2, "said"

@pytest.mark.parametrize("x", ["a b", "c - d"])
def test_p(x):
    raise ValueError("boom\\nsecond")

@pytest.mark.skip
def test_skip(): pass

@pytest.mark.xfail
def test_xfail(): assert 0

@pytest.fixture
def broken(): raise RuntimeError("fixture")

def test_err(broken): pass
`;
const green = 'def test_ok(): pass\n';
const file = 'tests/test_a.py';
const failures = [
  { file, line: 7, name: 'TestS.test_in', message: 'AssertionError: said\nassert 1 == 2' },
  { file, line: 11, name: 'test_p[a b]', message: 'ValueError: boom\nsecond' },
  { file, line: 11, name: 'test_p[c - d]', message: 'ValueError: boom\nsecond' },
  { file, line: 20, name: 'test_err', message: 'RuntimeError: fixture' },
];

const pytest = await findPytest();
afterAll(() => (pytest.ok ? pytest.remove() : undefined));
if (!pytest.ok) test.skip(`pytest: ${pytest.reason}`, () => {});

describe.runIf(pytest.ok)('pytest', () => {
  const run = (flags: string, files: Record<string, string>) => {
    if (!pytest.ok) throw new Error(pytest.reason);
    return runTool(`${pytest.command} ${flags}`, files, { environment: pytest.environment });
  };

  test.each(['', '-q', '-v', '--color=yes'])('failing: each test with its position: %s', async (flags) => {
    const { report, exitCode } = await run(flags, { [file]: red });
    expect(exitCode).toBe(1);
    expect(report).toEqual({ tool: 'pytest', passed: 1, failed: 4, skipped: 2, failures });
  });

  test('failing, without the list at the end', async () => {
    const { report } = await run('-rN', { [file]: red });
    expect(report?.failures).toEqual(expect.arrayContaining(failures));
  });

  test('tests with the same name in two files are different', async () => {
    const files = { 'test_a.py': 'def test_x(): assert 0\n', 'test_b.py': '\ndef test_x(): assert 1 == 3\n' };
    expect((await run('', files)).report?.failures).toEqual([
      { file: 'test_a.py', line: 1, name: 'test_x', message: 'assert 0' },
      { file: 'test_b.py', line: 2, name: 'test_x', message: 'assert 1 == 3' },
    ]);
  });

  test('passing', async () => {
    const { report, exitCode } = await run('-q', { [file]: green });
    expect(exitCode).toBe(0);
    expect(report).toEqual({ tool: 'pytest', passed: 1, failed: 0, skipped: 0, failures: [] });
  });

  test('crash: a file that cannot be loaded is an error in that file', async () => {
    const { report, exitCode } = await run('', { 'test_b.py': 'def x(\n' });
    expect(exitCode).toBe(2);
    const failures = [{ file: 'test_b.py', message: expect.stringMatching(/SyntaxError/) }];
    expect(report).toMatchObject({ passed: 0, failed: 1, failures });
  });

  test('crash: an invalid config has no report', async () => {
    const { report, exitCode, output } = await run('', { 'pytest.ini': '[pytest]\nbad', [file]: green });
    expect({ report, exitCode }).toEqual({ report: undefined, exitCode: 4 });
    expect(output).toContain('unexpected line');
  });

  test('empty: pytest fails if there are no tests', async () => {
    const { report, exitCode } = await run('', {});
    expect(exitCode).toBe(5);
    expect(report).toEqual({ tool: 'pytest', passed: 0, failed: 0, skipped: 0, failures: [] });
  });
});
