import { expect, test } from 'vitest';
import { discover, toCommands } from '../../discover.ts';
import { rootOf } from '../../testing/root-of.ts';

const json = (value: object) => JSON.stringify(value);
const packages = { devDependencies: { a: '1' } };
const workflow = (...runs: string[]) =>
  `on: push\njobs:\n  ci:\n    steps:\n${runs.map((run) => `      - run: ${run}\n`).join('')}`;

async function find(manifest: object, files: Record<string, string> = {}) {
  const found = await discover(rootOf({ 'package.json': json(manifest), ...files }));
  return { ...toCommands(found), remarks: found.remarks };
}

const withScripts = (scripts: Record<string, string>, ...runs: string[]) =>
  find({ scripts }, runs.length > 0 ? { '.github/workflows/ci.yml': workflow(...runs) } : {});

test.each([
  ['npm', {}, 'npm install --no-package-lock'],
  ['pnpm', { packageManager: 'pnpm@10.0.0' }, 'pnpm install --no-lockfile'],
  ['Yarn 1', { packageManager: 'yarn@1.22.0' }, 'yarn install --no-lockfile'],
  ['a later Yarn', { packageManager: 'yarn@4.0.0' }, 'yarn install --no-immutable'],
  ['bun', { packageManager: 'bun@1.2.0' }, 'bun install --no-save'],
])('%s without a lockfile installs and writes none', async (_, manager, command) => {
  const { setup, remarks } = await find({ ...packages, ...manager, scripts: { test: 'jest' } });
  expect(setup).toEqual([command]);
  expect(remarks).toEqual([expect.stringContaining('there is no lockfile')]);
});

test('each part of a chain reports by itself, and the tests keep what prepares them', async () => {
  expect(
    (await withScripts({ test: 'xo && npm run build && c8 ava && tsd', build: 'tsc' })).commands,
  ).toEqual({
    typecheck: 'npx --no-install tsd',
    lint: 'npx --no-install xo',
    test: 'npm run build && npx --no-install c8 ava',
    build: 'npm run build',
  });
  const scripts = {
    test: 'npm run lint && npm run unit && npm run type',
    lint: 'xo',
    unit: 'ava',
    type: 'tsd',
  };
  expect((await withScripts(scripts)).commands).toEqual({
    typecheck: 'npm run type',
    lint: 'npm run lint',
    test: 'npm run unit',
  });
});

test('a script with hooks, with a shell, or with one command stays whole', async () => {
  for (const scripts of [
    { pretest: 'rimraf build', test: 'xo && ava' },
    { test: 'eslint . && (mocha || true)' },
    { test: 'mocha --exit' },
  ])
    expect((await withScripts(scripts)).commands).toEqual({ test: 'npm test' });
});

test('what needs a browser, watches files, repairs files or installs packages is no check', async () => {
  const scripts = {
    test: 'npm run test:unit && npm run test:karma && npm run test:node',
    'test:unit': 'mocha',
    'test:karma': 'karma start',
    'test:node': 'npm install --prefix x && node x',
    lint: 'eslint --fix .',
    build: 'tsup --watch',
  };
  const { commands, remarks } = await withScripts(scripts);
  expect(commands).toEqual({ test: 'npm run test:unit' });
  expect(remarks).toEqual([
    'not used for build: script "build" of package.json: npm run build: it watches files and never exits',
    'not used for test: npm run test:karma: it needs a browser, which the sandbox does not have',
    'not used for test: npm run test:node: it installs packages, which a check cannot do',
  ]);
});

test('workflows name checks that conventions miss', async () => {
  const scripts = {
    check: 'npm run check:style && npm run check:ts',
    'check:style': 'prettier --check .',
    'check:ts': 'tsc',
    'lint:all': 'eslint .',
    'test-ci': 'nyc mocha',
    test: 'mocha --reporter dot',
    compile: 'tsc -p build',
  };
  const runs = ['npm run compile', 'npm run check', 'npm run lint:all', 'npm run test-ci -- --forbid-only'];
  expect((await withScripts(scripts, ...runs)).commands).toEqual({
    build: 'npm run compile',
    typecheck: 'npm run check:ts',
    lint: 'npm run lint:all',
    format: 'npm run check:style',
    test: 'npm run test-ci',
  });
  // The script of the usual name, if the workflow runs it, too.
  expect((await withScripts(scripts, 'npm run test-ci', 'npm test')).commands).toEqual({ test: 'npm test' });
  expect((await withScripts({}, 'npx tsc -b', 'node --test', 'npx evil')).commands).toEqual({
    typecheck: 'npx --no-install tsc -b',
    test: 'node --test',
  });
});

test('the build comes first if each job that runs a check builds before it', async () => {
  const scripts = { build: 'tsup', test: 'vitest run', lint: 'eslint .' };
  const order = async (...runs: string[]) => Object.keys((await withScripts(scripts, ...runs)).commands);
  expect(await order('npm run lint', 'npm run build', 'npm test')).toEqual(['lint', 'build', 'test']);
  expect(await order('npm test', 'npm run build')).toEqual(['lint', 'test', 'build']);
  expect(await order()).toEqual(['lint', 'test', 'build']);
});

const members = {
  'packages/a/package.json': json({ name: 'a', scripts: { test: 'vitest run', lint: 'eslint .' } }),
  'packages/b/package.json': json({ name: 'b', scripts: { test: 'jest' } }),
  'packages/b/fixtures/c/package.json': json({ name: 'c', scripts: { build: 'x' } }),
  'examples/d/package.json': json({ name: 'd', scripts: { typecheck: 'tsc' } }),
};
const workspaces = ['packages/*'];

test.each<[string, object, Record<string, string>, string]>([
  ['npm', { workspaces }, { 'package-lock.json': '{}' }, 'npm run test --workspaces --if-present'],
  [
    'pnpm',
    {},
    { 'pnpm-lock.yaml': '', 'pnpm-workspace.yaml': "packages: ['packages/**', '!**/fixtures/**']" },
    'pnpm -r --no-bail --if-present run test',
  ],
  ['Yarn 1', { workspaces }, { 'yarn.lock': '# yarn lockfile v1\n' }, 'yarn workspaces run test'],
  ['a later Yarn', { workspaces }, { 'yarn.lock': '__metadata:\n' }, 'yarn workspaces foreach -A run test'],
  ['bun', { workspaces: { packages: workspaces } }, { 'bun.lock': '' }, "bun run --filter '*' test"],
  [
    'turbo',
    { workspaces, devDependencies: { turbo: '2' } },
    { 'package-lock.json': '{}', 'turbo.json': '{}' },
    'npx --no-install turbo run test',
  ],
  [
    'nx',
    { workspaces, devDependencies: { nx: '21' }, scripts: { test: 'nx test' } },
    { 'package-lock.json': '{}', 'nx.json': '{}' },
    'npx --no-install nx run-many -t test',
  ],
  [
    'lerna',
    { devDependencies: { lerna: '9' } },
    { 'package-lock.json': '{}', 'lerna.json': json({ packages: workspaces }) },
    'npx --no-install lerna run test',
  ],
])(
  'in a workspace of %s, a check that packages have runs in all of them',
  async (_, manifest, files, test) => {
    const { commands } = await find(manifest, { ...members, ...files });
    expect(commands).toMatchObject({ test, lint: expect.stringContaining('lint') });
    expect(Object.keys(commands)).toEqual(['lint', 'test']);
  },
);

test('Yarn 1 runs a script that some packages lack in each package that has it', async () => {
  const { commands } = await find({ workspaces }, { ...members, 'yarn.lock': '# yarn lockfile v1\n' });
  expect(commands.lint).toBe('yarn workspace a run lint');
});

test('the root’s own script comes first', async () => {
  const { commands } = await find(
    { workspaces, scripts: { test: 'vitest run' } },
    { ...members, 'package-lock.json': '{}' },
  );
  expect(commands.test).toBe('npm test');
});
