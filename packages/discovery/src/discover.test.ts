import { readRepositoryConfig } from '@fettle/contract/repository-config';
import { expect, test } from 'vitest';
import { composeConfig } from './compose-config.ts';
import { discover, toCommands } from './discover.ts';
import { rootOf } from './testing/root-of.ts';

const manifest = (value: object) => JSON.stringify(value);
const withPackages = { devDependencies: { typescript: '7', vitest: '5', '@biomejs/biome': '2' } };
const cratesLock =
  '[[package]]\nname = "a"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\n';

type Case = [name: string, files: Record<string, string>, found: { setup: string[]; commands: object }];

const cases: Case[] = [
  ['nothing', { 'README.md': '' }, { setup: [], commands: {} }],
  [
    'npm with scripts',
    {
      'package.json': manifest({
        ...withPackages,
        scripts: { 'type-check': 'tsc', lint: 'x', 'fmt:check': 'x', test: 'x', build: 'x', start: 'x' },
      }),
      'package-lock.json': '{}',
    },
    {
      setup: ['npm ci'],
      commands: {
        typecheck: 'npm run type-check',
        lint: 'npm run lint',
        format: 'npm run fmt:check',
        test: 'npm test',
        build: 'npm run build',
      },
    },
  ],
  [
    'npm without dependencies: no install',
    { 'package.json': manifest({ scripts: { test: 'node --test' } }), 'package-lock.json': '{}' },
    { setup: [], commands: { test: 'npm test' } },
  ],
  [
    'the placeholder of npm init, and a test script in watch mode',
    {
      'package.json': manifest({
        scripts: {
          test: 'echo "Error: no test specified" && exit 1',
          'test:unit': 'jest --watch',
          build: ' ',
        },
      }),
    },
    { setup: [], commands: {} },
  ],
  [
    'pnpm with tools and no scripts',
    {
      'package.json': manifest(withPackages),
      'pnpm-lock.yaml': '',
      'tsconfig.json': '{}',
      'biome.json': '{}',
      'vitest.config.ts': '',
    },
    {
      setup: ['pnpm install --frozen-lockfile'],
      commands: {
        typecheck: 'pnpm exec tsc --noEmit',
        lint: 'pnpm exec biome lint .',
        test: 'pnpm exec vitest run',
      },
    },
  ],
  [
    'a tsconfig whose compiler is not installed',
    {
      'package.json': manifest({ dependencies: { a: '1' } }),
      'package-lock.json': '{}',
      'tsconfig.json': '{}',
    },
    { setup: [], commands: {} },
  ],
  [
    'Yarn 1',
    {
      'package.json': manifest({ ...withPackages, scripts: { test: 'x', lint: 'x' } }),
      'yarn.lock': '# yarn lockfile v1\n',
    },
    { setup: ['yarn install --frozen-lockfile'], commands: { lint: 'yarn run lint', test: 'yarn test' } },
  ],
  [
    'a later Yarn',
    {
      'package.json': manifest({ ...withPackages, scripts: { test: 'x' } }),
      'yarn.lock': '__metadata:\n  version: 8\n',
    },
    { setup: ['yarn install --immutable'], commands: { test: 'yarn test' } },
  ],
  [
    'Bun, whose test runner is not the test script',
    { 'package.json': manifest({ ...withPackages, scripts: { test: 'x' } }), 'bun.lock': '' },
    { setup: ['bun install --frozen-lockfile'], commands: { test: 'bun run test' } },
  ],
  [
    'several lockfiles, and the field packageManager',
    {
      'package.json': manifest({ ...withPackages, packageManager: 'npm@11.2.0', scripts: { test: 'x' } }),
      'pnpm-lock.yaml': '',
      'package-lock.json': '{}',
    },
    { setup: ['npm ci'], commands: { test: 'npm test' } },
  ],
  [
    'a workspace root without dependencies',
    {
      'package.json': manifest({ workspaces: ['packages/*'], scripts: { test: 'x' } }),
      'package-lock.json': '{}',
    },
    { setup: ['npm ci'], commands: { test: 'npm test' } },
  ],
  [
    'Bun without a test script',
    { 'package.json': manifest(withPackages), 'bun.lock': '', 'src/a.test.ts': '' },
    { setup: ['bun install --frozen-lockfile'], commands: { test: 'bun test' } },
  ],
  [
    'a guess that no workflow of the project runs',
    {
      'package.json': manifest({ ...withPackages, devDependencies: { typescript: '7' } }),
      'package-lock.json': '',
      'tsconfig.json': '{}',
      '.github/workflows/ci.yml': 'on: push\njobs: { a: { steps: [{ run: npm test }] } }',
    },
    { setup: [], commands: {} },
  ],
  [
    'Deno with tasks',
    {
      'deno.jsonc':
        '{\n  // tasks\n  "tasks": {\n    "test": "deno test -A", // all\n    "check": "deno check .",\n  },\n}\n',
      'deno.lock': '{}',
      '.github/workflows/ci.yml':
        'on: push\njobs: { a: { steps: [{ run: deno fmt --check }, { run: deno task test }, { run: deno task --cwd x test }] } }',
    },
    {
      setup: ['deno install --frozen'],
      commands: {
        typecheck: 'deno task check',
        lint: 'deno lint',
        format: 'deno fmt --check',
        test: 'deno task test',
      },
    },
  ],
  [
    'Deno without tasks',
    { 'deno.json': '{}', 'src/a_test.ts': '' },
    {
      setup: ['deno install --no-lock', 'deno test --no-run --no-check --no-lock'],
      commands: { lint: 'deno lint', test: 'deno test -A' },
    },
  ],
  [
    'Make',
    {
      Makefile:
        'CC := gcc\nX ?= test: y\n# lint: no\n.PHONY: check build\ncheck: build\n\tfmt-check: no\nbuild typecheck:\n\tcc\n',
    },
    { setup: [], commands: { typecheck: 'make typecheck', test: 'make check', build: 'make build' } },
  ],
  [
    'scripts before Make targets, and both if each has its own',
    {
      'package.json': manifest({ ...withPackages, scripts: { test: 'x' } }),
      'package-lock.json': '{}',
      Makefile: 'test:\n\tx\nlint:\n\tx\n',
    },
    { setup: ['npm ci'], commands: { lint: 'make lint', test: 'npm test' } },
  ],
  [
    'Python with requirements',
    {
      'requirements.txt': 'flask==3\n',
      'requirements-dev.txt': 'pytest>=8\npytest-cov\n',
      'pyproject.toml': '[tool.ruff]\nline-length = 100\n[tool.ruff.format]\n[tool.mypy]\nfiles = ["src"]\n',
    },
    {
      setup: [
        'python3 -m venv --system-site-packages .venv',
        '.venv/bin/pip install -r requirements.txt -r requirements-dev.txt',
      ],
      commands: {
        typecheck: '.venv/bin/python -m mypy',
        lint: '.venv/bin/python -m ruff check .',
        format: '.venv/bin/python -m ruff format --check .',
        test: '.venv/bin/python -m pytest',
      },
    },
  ],
  [
    'Python with uv',
    { 'uv.lock': '', 'pyproject.toml': '[project]\nname = "x"\n[tool.pytest.ini_options]\n' },
    { setup: ['uv sync --frozen'], commands: { test: 'uv run --no-sync pytest' } },
  ],
  [
    'Python with setup.cfg and tox.ini',
    { 'setup.cfg': '[mypy]\nstrict = True\n', 'tox.ini': '[tox]\n[pytest]\naddopts = -q\n' },
    { setup: [], commands: { typecheck: 'python3 -m mypy .', test: 'python3 -m pytest' } },
  ],
  [
    'Python without configured tools',
    { 'pyproject.toml': '[project]\nname = "x"\n' },
    { setup: [], commands: {} },
  ],
  [
    'Go',
    { 'go.mod': 'module x\n', 'go.sum': 'x\n' },
    {
      setup: ['go mod download'],
      commands: { lint: 'go vet ./...', test: 'go test -v ./...', build: 'go build ./...' },
    },
  ],
  [
    'Go with vendored modules',
    { 'go.mod': 'module x\n', 'go.sum': 'x\n', 'vendor/modules.txt': '# a v1\n' },
    { setup: [], commands: { lint: 'go vet ./...', test: 'go test -v ./...', build: 'go build ./...' } },
  ],
  [
    'Rust with configured tools',
    {
      'Cargo.toml': '[workspace]\nmembers = ["a"]\n[workspace.lints.clippy]\nall = "deny"\n',
      'Cargo.lock': '[[package]]\nname = "a"\n',
      'rustfmt.toml': '',
    },
    {
      setup: [],
      commands: {
        lint: 'cargo clippy --workspace --all-targets',
        format: 'cargo fmt --check',
        test: 'cargo test --workspace',
        build: 'cargo build --workspace',
      },
    },
  ],
  [
    'Rust with crates that a sandbox cannot download',
    { 'Cargo.toml': '[package]\n', 'Cargo.lock': cratesLock, 'rustfmt.toml': '' },
    {
      setup: [],
      commands: { format: 'cargo fmt --check', test: 'cargo test', build: 'cargo build' },
    },
  ],
  [
    'Rust with vendored crates',
    {
      'Cargo.toml': '[package]\n',
      'Cargo.lock': cratesLock,
      '.cargo/config.toml': '[source.crates-io]\nreplace-with = "vendored-sources"\n',
    },
    { setup: [], commands: { test: 'cargo test', build: 'cargo build' } },
  ],
];

test.each(cases)('%s', async (_name, files, expected) => {
  const found = await discover(rootOf(files));
  expect(toCommands(found)).toEqual(expected);
  // The written config contains the same commands.
  const reading = readRepositoryConfig(composeConfig(found));
  if (!reading.ok) throw new Error(reading.message);
  expect({ setup: reading.config.setup, commands: reading.config.commands }).toEqual(expected);
});

test('each command has its source, and unused commands are listed', async () => {
  const files = {
    'package.json': manifest({ ...withPackages, scripts: { test: 'x' } }),
    'package-lock.json': '{}',
    'go.mod': 'module x\n',
  };
  expect(composeConfig(await discover(rootOf(files)))).toBe(
    `# How Fettle works on this repository: the commands that set it up, and the checks that a change must pass.
# Written by \`fettle init\` from the files in this repository. Fettle reads it from the base branch, so commit it.
version: 1
setup: # run in order in each new sandbox; if one fails, the operation fails
  - npm ci # package-lock.json
commands: # the checks that a change must pass, in order; each must exit with code 0
  lint: go vet ./... # go.mod
  test: npm test # script "test" of package.json
  build: go build ./... # go.mod
  # not found: typecheck, format

# not used for test: go test -v ./... (go.mod)
`,
  );
});
