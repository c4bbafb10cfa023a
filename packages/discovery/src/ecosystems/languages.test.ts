import { expect, test } from 'vitest';
import { discover, toCommands } from '../discover.ts';
import type { FoundCommand } from '../discovered.ts';
import { rootOf } from '../testing/root-of.ts';

type Case = [name: string, files: Record<string, string>, found: { setup: string[]; commands: object }];

const project = '[build-system]\nrequires = ["hatchling"]\n[project]\nname = "demo"\n';

const cases: Case[] = [
  [
    'Python without a lockfile: the project with its extras and groups',
    {
      'pyproject.toml': `${project}[project.optional-dependencies]\ntest = ["pytest"]\n[dependency-groups]\ndev = [\n  "ruff", # lints\n  "pytest>=8",\n  "demo[socks]",\n  { include-group = "docs" },\n  "x ; python_version > '3.12'",\n]\n[tool.ruff]\n`,
    },
    {
      setup: [
        'python3 -m venv --system-site-packages .venv',
        ".venv/bin/pip install -e '.[test]' ruff 'pytest>=8'",
      ],
      commands: { lint: '.venv/bin/python -m ruff check .', test: '.venv/bin/python -m pytest' },
    },
  ],
  [
    'Python with the sources in src, so that no other release of the project is tested',
    { 'setup.py': '', 'src/demo/__init__.py': '', 'tests/test_a.py': 'def test_a(): pass\n' },
    {
      setup: ['python3 -m venv --system-site-packages .venv', '.venv/bin/pip install -e .'],
      commands: { test: 'PYTHONPATH=src .venv/bin/python -m pytest' },
    },
  ],
  [
    'Python with pdm',
    { 'pdm.lock': '', 'pyproject.toml': '[tool.pytest.ini_options]\n' },
    { setup: ['pdm install --frozen-lockfile'], commands: { test: 'pdm run pytest' } },
  ],
  [
    'the tests of tox',
    { 'tox.ini': '[tox]\nenvlist = py3\n[testenv]\ndeps = pytest\ncommands =\n    pytest {posargs:tests}\n' },
    { setup: [], commands: { test: 'python3 -m pytest tests' } },
  ],
  [
    'unittest, which needs no configuration',
    { 'tests/test_a.py': 'import unittest\nclass A(unittest.TestCase): pass\n' },
    { setup: [], commands: { test: 'python3 -m unittest discover -s tests' } },
  ],
  [
    'unittest in a package of tests',
    { 'tests/__init__.py': '', 'tests/test_a.py': 'import unittest\n' },
    { setup: [], commands: { test: 'python3 -m unittest' } },
  ],
  [
    'flake8 and black',
    { 'setup.cfg': '[flake8]\nmax-line-length = 100\n', 'pyproject.toml': '[tool.black]\n' },
    { setup: [], commands: { lint: 'python3 -m flake8', format: 'python3 -m black --check .' } },
  ],
  [
    'just, without recipes that need arguments or never end',
    { justfile: 'x := "a"\ntest:\n  go test ./...\nlint file:\n  cat {{file}}\nbuild: (watch \'build\')\n' },
    { setup: [], commands: { test: 'just test' } },
  ],
  [
    'Task',
    {
      'Taskfile.yml':
        'version: "3"\ntasks:\n  test: go test ./...\n  lint:\n    cmds:\n      - golangci-lint run\n  build:\n    watch: true\n    cmds: [go build]\n',
    },
    { setup: [], commands: { lint: 'task lint', test: 'task test' } },
  ],
  [
    'mise',
    { 'mise.toml': '[tools]\nnode = "24"\n[tasks]\nlint = "ruff check"\n[tasks.test]\nrun = "pytest"\n' },
    { setup: [], commands: { lint: 'mise run lint', test: 'mise run test' } },
  ],
  [
    'a Makefile that calls the compiler of the machine',
    { Makefile: 'all: a\n\na: a.c\n\t$(CC) -o a a.c\n' },
    { setup: [], commands: { build: 'make' } },
  ],
  [
    'a Makefile of a C project',
    { Makefile: 'CC = gcc\nall: a\na: a.c\n\t$(CC) a.c -o a\ncheck: a\n\t./a --test\n' },
    { setup: [], commands: { test: 'make check', build: 'make' } },
  ],
  [
    'CMake, outside of the tree',
    { 'CMakeLists.txt': 'project(x C)\nenable_testing()\n' },
    {
      setup: [],
      commands: {
        test: 'cmake -S . -B "$TMPDIR/cmake-build" && cmake --build "$TMPDIR/cmake-build" --parallel 2 && ctest --test-dir "$TMPDIR/cmake-build" --output-on-failure',
        build: 'cmake -S . -B "$TMPDIR/cmake-build" && cmake --build "$TMPDIR/cmake-build" --parallel 2',
      },
    },
  ],
  [
    'Maven',
    { 'pom.xml': '' },
    { setup: [], commands: { test: 'mvn -B test', build: 'mvn -B package -DskipTests' } },
  ],
  [
    'the wrapper of Gradle',
    { 'build.gradle.kts': '', gradlew: '' },
    {
      setup: [],
      commands: { test: 'sh ./gradlew --console=plain test', build: 'sh ./gradlew --console=plain assemble' },
    },
  ],
  [
    'RSpec in a bundle',
    { Gemfile: '', 'spec/a_spec.rb': '', '.rubocop.yml': '' },
    { setup: [], commands: { lint: 'bundle exec rubocop', test: 'bundle exec rspec' } },
  ],
  [
    'a test task of rake',
    { Rakefile: 'Rake::TestTask.new\n', 'x.gemspec': '' },
    { setup: [], commands: { test: 'rake test' } },
  ],
  [
    'PHPUnit',
    { 'phpunit.xml.dist': '', 'composer.json': '{"scripts":{"cs":"phpcs"}}' },
    { setup: [], commands: { lint: 'composer run-script cs', test: 'vendor/bin/phpunit' } },
  ],
];

test.each(cases)('%s', async (_name, files, expected) => {
  expect(toCommands(await discover(rootOf(files)))).toEqual(expected);
});

const list = ({ command, instead = [] }: FoundCommand) => [command, ...instead.map((each) => each.command)];

test.each<[string, Record<string, string>, string[]]>([
  [
    'uv',
    { 'uv.lock': '', 'pytest.ini': '', 'src/a/b.py': '' },
    ['uv run --no-sync pytest', 'PYTHONPATH=src python3 -m pytest'],
  ],
  [
    'a Makefile that calls another Python',
    { Makefile: 'test:\n\tpython -m pytest\n', 'requirements.txt': 'pytest\n' },
    ['make test', '.venv/bin/python -m pytest', 'python3 -m pytest'],
  ],
  ['the wrapper of Maven', { 'pom.xml': '', mvnw: '' }, ['sh ./mvnw -B test', 'mvn -B test']],
  ['a bundle', { Gemfile: '', '.rspec': '' }, ['bundle exec rspec', 'rspec']],
  ['Composer', { 'phpunit.xml': '' }, ['vendor/bin/phpunit', 'phpunit']],
])('%s: commands for a sandbox without its programs', async (_, files, commands) => {
  const { test: found } = (await discover(rootOf(files))).commands;
  expect(found && list(found)).toEqual(commands);
});

test('the programs that a target starts are needed as well', async () => {
  const makefile = 'lint: x\n\t@GOFLAGS=-mod=mod golangci-lint run\n\tif true; then evil; fi\n\t$(GO) vet\n';
  const { lint } = (await discover(rootOf({ Makefile: makefile }))).commands;
  expect(lint?.probe).toBe('command -v make && command -v golangci-lint');
});

test('a version of Rust that the manifest needs is probed', async () => {
  const { test: found } = (await discover(rootOf({ 'Cargo.toml': '[package]\nedition = "2024"\n' })))
    .commands;
  expect(found).toMatchObject({ needs: 'Rust 1.85 or later', probe: expect.stringContaining('sort -VC') });
});

test('odd files of runners are read in linear time', async () => {
  const odd = `${'a: b '.repeat(50_000)}\n${"a='b' ".repeat(50_000)}:\n${'["a'.repeat(50_000)}`;
  const names = [
    'Makefile',
    'justfile',
    'mise.toml',
    'tox.ini',
    'pyproject.toml',
    'Rakefile',
    'CMakeLists.txt',
  ];
  const startedAt = performance.now();
  await discover(rootOf(Object.fromEntries(names.map((name) => [name, odd]))));
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});
