import { expect, test } from 'vitest';
import { discover, toCommands } from './discover.ts';
import { rootOf } from './testing/root-of.ts';

const json = (value: object) => JSON.stringify(value);
const web = json({ devDependencies: { vitest: '5' }, scripts: { test: 'vitest run', lint: 'eslint .' } });
const projects = {
  'web/package.json': web,
  'web/pnpm-lock.yaml': '',
  'services/api/package.json': json({ scripts: { test: 'node --test' } }),
  'services/api/fixtures/x/package.json': web,
  'examples/package.json': web,
  'docs/site/package.json': web,
};

test('projects in folders, one after another', async () => {
  const found = await discover(rootOf(projects));
  expect(toCommands(found)).toEqual({
    setup: ['cd web && pnpm install --frozen-lockfile'],
    commands: {
      lint: 'cd web && pnpm run lint',
      test: 'cd services/api && npm test && cd ../../web && pnpm test',
    },
  });
  expect(found.setup[0]).toMatchObject({
    probe: 'cd web && command -v pnpm',
    ifOutdated: 'cd web && pnpm install --no-frozen-lockfile',
  });
});

test('a workflow tells how the project in a folder is checked', async () => {
  const ci = `on: push
jobs:
  web:
    defaults: { run: { working-directory: web } }
    steps: [{ run: pnpm test:ci }]
`;
  const manifest = json({ scripts: { 'test:ci': 'vitest run --silent' } });
  const found = await discover(rootOf({ 'web/package.json': manifest, '.github/workflows/ci.yml': ci }));
  expect(toCommands(found).commands).toEqual({ test: 'cd web && npm run test:ci' });
});

test.each([
  ['a root with tests', { 'package.json': json({ scripts: { test: 'node --test' } }) }, ['test']],
  [
    'a workspace',
    { 'package.json': json({ workspaces: ['web'], scripts: { build: 'tsc' } }) },
    ['lint', 'test', 'build'],
  ],
  ['a root with other checks', { 'package.json': json({ scripts: { lint: 'eslint .' } }) }, ['lint', 'test']],
])('%s', async (_, files, names) => {
  const { commands } = await discover(rootOf({ ...projects, ...files }));
  expect(Object.keys(commands).toSorted()).toEqual(names.toSorted());
  if (names.includes('lint')) expect(commands.lint?.command).toContain('lint');
});
