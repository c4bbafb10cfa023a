import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { classifyRun, type FinishedRun } from './classify-run.ts';
import { readReport } from './read-report.ts';

const run = (more: Partial<FinishedRun>): FinishedRun => ({
  ...{ name: 'test', exitCode: 0, signal: null, timedOut: false, durationMs: 12_000, output: '' },
  ...more,
});
const report = (passed: number, failed: number, skipped = 0) => ({
  ...{ tool: 'vitest', passed, failed, skipped },
  failures: [],
});

test.each<[string, Partial<FinishedRun>, string, string?]>([
  [
    'exit 127',
    { exitCode: 127, output: 'sh: 1: xo: not found\n' },
    'missing_program',
    '`xo` is not installed.',
  ],
  ['exit 127 after tests', { exitCode: 127, report: report(3, 0) }, 'missing_program'],
  [
    'a missing program that the command hides',
    { name: 'lint', command: 'xo || true', output: 'sh: 1: xo: not found\n' },
    'missing_program',
    '`xo` is not installed.',
  ],
  [
    'a missing program that a script hides',
    {
      name: 'lint',
      command: 'npm run lint',
      output: '\n> a@1.0.0 lint\n> FORCE_COLOR=1 xo src && tsd || true\n\nsh: 1: xo: not found\n',
    },
    'missing_program',
  ],
  [
    'a missing program before a pipe',
    { name: 'lint', command: 'xo | tee lint.log', output: 'bash: line 1: xo: command not found\n' },
    'missing_program',
  ],
  [
    'make, which ignores the error',
    {
      name: 'lint',
      command: 'make lint',
      output: 'xo src\nmake: xo: No such file or directory\nmake: [Makefile:2: lint] Error 127 (ignored)\n',
    },
    'missing_program',
  ],
  ['exit 126', { exitCode: 126, output: 'sh: 1: ./run: Permission denied\n' }, 'not_executable'],
  [
    'pnpm',
    { exitCode: 1, output: 'sh: 1: ava: not found\n ELIFECYCLE  Command failed.\n' },
    'missing_program',
  ],
  ['make', { exitCode: 2, output: 'make: pytest: No such file or directory\n' }, 'missing_program'],
  ['python -m', { exitCode: 1, output: '/usr/bin/python3: No module named pytest\n' }, 'missing_program'],
  [
    'spawn',
    { exitCode: 1, output: 'Error: spawn tsc ENOENT\n' },
    'missing_program',
    '`tsc` is not installed.',
  ],
  [
    'packages that set-up did not install',
    { exitCode: 1, output: '403 Packages are available only during set-up and to the tool\n' },
    'missing_package',
  ],
  ['timeout', { exitCode: null, timedOut: true }, 'timeout', 'It did not finish within 12 s.'],
  ['memory limit', { exitCode: null, signal: 'SIGKILL', outOfMemory: true }, 'out_of_memory'],
  ['heap', { exitCode: 134, output: 'FATAL ERROR: … JavaScript heap out of memory\n' }, 'out_of_memory'],
  ['signal', { exitCode: null, signal: 'SIGKILL' }, 'killed', 'It was killed by SIGKILL before it finished.'],
  ['137', { exitCode: 137 }, 'killed'],
  ['counts of zero', { report: report(0, 0) }, 'no_tests'],
  ['skipped tests only', { report: report(0, 0, 7) }, 'no_tests'],
  ['npm init', { exitCode: 1, output: '> echo "…"\n\nError: no test specified\n' }, 'no_tests'],
  ['pytest', { exitCode: 5, output: '===== no tests ran in 0.01s =====\n' }, 'no_tests'],
  ['vitest', { exitCode: 1, output: 'No test files found, exiting with code 1\n' }, 'no_tests'],
  ['jest', { output: 'No tests found, exiting with code 0\n' }, 'no_tests'],
  ['mocha', { output: '\n  0 passing (1ms)\n' }, 'no_tests'],
  ['go', { output: '?   \texample.com/a\t[no test files]\n' }, 'no_tests'],
  ['cargo', { output: 'running 0 tests\n\ntest result: ok. 0 passed\n\nrunning 0 tests\n' }, 'no_tests'],
])('%s: the check could not run', (_, more, code, message) => {
  const classified = classifyRun(run(more));
  expect(classified).toMatchObject({ status: 'could_not_run', obstacle: { code } });
  if (message !== undefined) expect(classified.obstacle?.message).toBe(message);
});

const failing = (exitCode: number, output: string, tests?: [passed: number, ...messages: string[]]) => ({
  ...{ exitCode, output },
  ...(tests && {
    report: {
      ...{ tool: 'x', passed: tests[0], failed: tests.length - 1 },
      failures: tests.slice(1).map((message) => ({ name: 'x', message: String(message) })),
    },
  }),
});

type Lack = [tool: string, run: Partial<FinishedRun>, named: string];

/** By the code of the obstacle. */
const lacks: Record<string, Lack[]> = {
  missing_program: [
    ['bash', failing(1, 'bash: line 1: go: command not found\n'), 'go'],
    ['env', failing(127, '/usr/bin/env: ‘node’: No such file or directory\n'), 'node'],
    [
      'just',
      failing(1, 'sh: 1: cargo: not found\nerror: Recipe `test` failed on line 5 with exit code 127\n'),
      'cargo',
    ],
    [
      'task',
      failing(
        201,
        '"golangci-lint": executable file not found in $PATH\ntask: Failed to run task "lint": exit status 127\n',
      ),
      'golangci-lint',
    ],
    ['make', failing(2, '/bin/sh: 1: mvn: not found\nmake: *** [Makefile:3: test] Error 127\n'), 'mvn'],
    ['poetry run', failing(1, 'Command not found: pytest\n'), 'pytest'],
    [
      'uv run',
      failing(2, 'error: Failed to spawn: `pytest`\n  Caused by: No such file or directory (os error 2)\n'),
      'pytest',
    ],
    ['pdm run', failing(1, "[PdmUsageError]: Command 'pytest' is not found in your PATH.\n"), 'pytest'],
    ['python -m tox', failing(1, '/usr/bin/python3: No module named tox\n'), 'tox'],
    ['tox 3', failing(1, 'ERROR:  py39: InterpreterNotFound: python3.9\n'), 'python3.9'],
    ['bundle exec', failing(127, 'bundler: command not found: rspec\n'), 'rspec'],
    ['cargo clippy', failing(101, 'error: no such subcommand: `clippy`\n'), 'clippy'],
    ['cargo without a linker', failing(101, 'error: linker `cc` not found\n'), 'cc'],
    [
      'cgo',
      failing(
        1,
        '# runtime/cgo\ncgo: C compiler "gcc" not found: exec: "gcc": executable file not found in $PATH\n',
      ),
      'gcc',
    ],
    [
      'Maven without Java',
      failing(1, "ERROR: JAVA_HOME is not set and no 'java' command could be found in your PATH.\n"),
      'java',
    ],
    [
      'PHPUnit',
      failing(
        1,
        'PHPUnit requires the "dom", "json", "xml" extensions, but the "dom", "xml" extensions are not available.\n',
      ),
      'extensions',
    ],
    [
      'Maven without its configuration',
      failing(100, 'java.nio.file.NoSuchFileException: /usr/share/maven/bin/m2.conf\n\tat java.base/x\n'),
      'm2.conf',
    ],
  ],
  not_downloaded: [
    [
      'the wrapper of Gradle',
      failing(
        1,
        'Downloading https://services.gradle.org/distributions/gradle-8.5-bin.zip\nException in thread "main" java.net.UnknownHostException: services.gradle.org\n',
      ),
      'services.gradle.org',
    ],
    [
      'Gradle',
      failing(1, "> Could not GET 'https://repo.maven.apache.org/maven2/a/a/1/a-1.pom'.\n"),
      'Maven Central (repo.maven.apache.org)',
    ],
    [
      'uv',
      failing(1, 'error: Failed to fetch: `https://pypi.org/simple/flask/`\n  Caused by: dns error\n'),
      'pypi.org',
    ],
    [
      'pnpm',
      failing(1, ' WARN  GET https://registry.npmjs.org/a error (EAI_AGAIN). Will retry in 10 seconds.\n'),
      'registry.npmjs.org',
    ],
    [
      'Yarn',
      failing(
        1,
        'error An unexpected error occurred: "https://registry.yarnpkg.com/a: getaddrinfo ENOTFOUND registry.yarnpkg.com".\n',
      ),
      'registry.yarnpkg.com',
    ],
    [
      'Composer',
      failing(
        100,
        'curl error 6 while downloading https://repo.packagist.org/packages.json: Could not resolve host: repo.packagist.org\n',
      ),
      'packagist.org',
    ],
    [
      'git',
      failing(128, "fatal: unable to access 'https://github.com/a/b/': Could not resolve host: github.com\n"),
      'github.com',
    ],
    [
      'a sparse index',
      failing(
        101,
        'error: failed to get `a` as a dependency of package `b`\n\nCaused by:\n  download of config.json failed\n\nCaused by:\n  failed to download from `https://index.crates.io/config.json`\n',
      ),
      'crates.io',
    ],
    [
      'go in each package',
      failing(1, 'FAIL\tx [setup failed]\n', [
        0,
        'setup failed\nx.go:2:8: a@v1: Get "https://proxy.golang.org/a": dial tcp: lookup proxy.golang.org: no such host',
      ]),
      'proxy.golang.org',
    ],
  ],
  wrong_version: [
    [
      'an old go',
      failing(1, 'go: go.mod requires go >= 1.23.0 (running go 1.19.8; GOTOOLCHAIN=local)\n'),
      'Go 1.19.8',
    ],
    [
      'an old Rust',
      failing(
        101,
        'error: package `a v1.0.0` cannot be built because it requires rustc 1.70 or newer, while the currently active rustc version is 1.63.0\n',
      ),
      'Rust 1.70',
    ],
    [
      'an old Cargo',
      failing(
        101,
        '  The package requires the Cargo feature called `edition2024`, but that feature is not stabilized in this version of Cargo (1.65.0).\n',
      ),
      'edition2024',
    ],
  ],
  missing_package: [
    ['conftest', failing(4, "E   ModuleNotFoundError: No module named 'blinker'\n"), 'blinker'],
    [
      'each test file',
      failing(2, '', [
        0,
        "ModuleNotFoundError: No module named 'flask'",
        "ModuleNotFoundError: No module named 'click'",
      ]),
      'flask',
    ],
    ['mocha', failing(1, "Error: Cannot find module 'chai'\nRequire stack:\n"), 'chai'],
    [
      'node',
      failing(1, "Error [ERR_MODULE_NOT_FOUND]: Cannot find package '@scope/a' imported from /srv/a.js\n"),
      '@scope/a',
    ],
    [
      'rake',
      failing(1, 'LoadError: cannot load such file -- rspec/core/rake_task\n'),
      'rspec/core/rake_task',
    ],
  ],
};

const allLacks = Object.entries(lacks).flatMap(([code, all]) => all.map((lack) => [code, ...lack] as const));

test.each(allLacks)('%s: %s: the machine lacks something', (code, _, more, named) => {
  for (const name of ['test', 'build'] as const) {
    const { status, obstacle } = classifyRun(run({ name, ...more }));
    expect({ status, code: obstacle?.code }).toEqual({ status: 'could_not_run', code });
    expect(obstacle?.message).toContain(named);
  }
});

test.each<[string, Partial<FinishedRun>]>([
  ['deno', { exitCode: 1, output: 'error: No test modules found\n' }],
  ['ava', { exitCode: 1, output: "\n  ✘ Couldn't find any files to test\n" }],
  ['tape', { output: 'TAP version 13\n\n1..0\n# tests 0\n# pass  0\n' }],
  [
    'go without matching tests',
    { output: 'ok  \texample.com/a\t0.01s [no tests to run]\n?   \tb\t[no test files]\n' },
  ],
  ['phpunit', { output: 'PHPUnit 9.6.7\n\nNo tests executed!\n' }],
  ['surefire', { output: '[INFO] No tests to run.\n' }],
  [
    'gradle',
    { output: '> Task :compileTestJava NO-SOURCE\n> Task :test NO-SOURCE\nBUILD SUCCESSFUL in 1s\n' },
  ],
  ['ctest', { output: 'No tests were found!!!\n' }],
  ['make', { output: "make: Nothing to be done for 'test'.\n" }],
  ['a folder with the name of the target', { output: "make: 'test' is up to date.\n" }],
])('%s: no test was executed', (_, more) => {
  const report = readReport({ output: more.output ?? '', exitCode: more.exitCode ?? 0 });
  expect(classifyRun(run({ ...more, report }))).toMatchObject({ obstacle: { code: 'no_tests' } });
});

test.each<[string, Partial<FinishedRun>]>([
  ['one file cannot be loaded', failing(1, '', [3, "ModuleNotFoundError: No module named 'absent'"])],
  [
    'one failure has another cause',
    failing(1, '', [0, "ModuleNotFoundError: No module named 'absent'", 'assert 1 == 2']),
  ],
  [
    'a test of the network',
    failing(1, 'curl: (6) Could not resolve host: example.com\n', [0, 'expected 1 to be 2']),
  ],
  ['a file of the repository', failing(1, "Error: Cannot find module './lib/absent'\n")],
  ['a module of the repository', failing(1, "ModuleNotFoundError: No module named 'flask.absent'\n")],
  ['a program that prints about the network', failing(1, 'getaddrinfo ENOTFOUND example.com\n')],
])('%s: what really ran and failed is not hidden', (_, more) => {
  expect(classifyRun(run(more))).toEqual({ status: 'failed' });
});

test.each(['go', 'go-mod', 'cargo', 'pip', 'bundle', 'maven', 'npm', 'curl'])(
  'unreachable, as %s prints it',
  (name) => {
    const text = readFileSync(join(import.meta.dirname, `testing/outputs/unreachable-${name}.txt`), 'utf8');
    const end = text.lastIndexOf('exit ');
    const output = text.slice(0, end);
    const exitCode = Number(text.slice(end + 5));
    const report = readReport({ output, exitCode });
    expect(classifyRun(run({ output, exitCode, report }))).toMatchObject({
      obstacle: {
        code: 'not_downloaded',
        message: expect.stringMatching(/^It needs packages from [\w.() ]+,/),
      },
    });
  },
);

test.each<[string, Partial<FinishedRun>, string]>([
  ['tests that pass', { report: report(3, 0) }, 'passed'],
  ['output of an unknown tool', { output: 'all good\n' }, 'passed'],
  ['failed tests', { exitCode: 1, report: report(3, 1) }, 'failed'],
  [
    'a failed test about a program',
    { exitCode: 1, report: report(3, 1), output: 'sh: 1: xo: not found\n' },
    'failed',
  ],
  ['a failure of an unknown tool', { exitCode: 1, output: 'not good\n' }, 'failed'],
  ['a linter without tests', { name: 'lint', output: 'no tests found\n' }, 'passed'],
  ['go packages with and without tests', { output: '?   \ta\t[no test files]\nok  \tb\t0.01s\n' }, 'passed'],
  ['cargo with tests', { output: 'running 2 tests\n\nrunning 0 tests\n' }, 'passed'],
  ['a crash', { exitCode: 139 }, 'failed'],
  [
    'another program in its place',
    { name: 'build', command: 'gmake || make', output: 'sh: 1: gmake: not found\ncc -c a.c\n' },
    'passed',
  ],
  [
    'a program that the command asks for in passing',
    { name: 'build', command: 'node build.mjs', output: 'sh: 1: git: not found\nbuilt\n' },
    'passed',
  ],
  [
    'tests that ran, although a program is missing',
    { command: 'nvm use; vitest run', output: 'sh: 1: nvm: not found\n', report: report(3, 0) },
    'passed',
  ],
])('%s: the check ran', (_, more, status) => {
  expect(classifyRun(run(more))).toEqual({ status });
});

test('failed tests count, even if the command hides them', () => {
  expect(classifyRun(run({ report: report(3, 1) }))).toEqual({ status: 'failed' });
  expect(classifyRun(run({ report: report(3, 0) }))).toEqual({ status: 'passed' });
});
