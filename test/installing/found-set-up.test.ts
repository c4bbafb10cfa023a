/** Repositories without a config, set up with the package manager that they use, and what becomes part of the change. */
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  fetchPackageManagers,
  publishManager,
} from '../../packages/registry/src/testing/package-managers.ts';
import { startTestRegistry, type TestRegistry } from '../../packages/registry/src/testing/test-registry.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { makeRepository } from '../support/repository.ts';
import { sandboxes } from '../support/sandbox-settings.ts';

const managers = fetchPackageManagers();
const place = sandboxes.find(({ name }) => name === 'bubblewrap');
const why = 'missing' in managers ? managers.missing : (place?.missing ?? 'there is no bubblewrap');

const json = (value: object) => JSON.stringify(value, null, 2);
const done = turn(say('Done'));
const edit = (path: string) => turn(call('edit_file', { path, edits: [{ old: 'a - b', new: 'a + b' }] }));
const broken = 'module.exports = (a, b) => a - b;\n';
const testOf = (dependency: string) =>
  `const assert = require('node:assert');\nrequire('node:test')('adds', () => {\n  assert.equal(require('${dependency}'), 'left');\n  assert.equal(require('./sum.js')(2, 3), 5);\n});\n`;
const sum = { 'sum.js': broken, 'sum.test.js': testOf('fettle-t-left'), '.gitignore': 'node_modules\n' };
const scripts = { test: 'node --test' };
const dependencies = { 'fettle-t-left': '^1.0.0' };
const yarnLock = ({ tarball }: TestRegistry, name = 'fettle-t-left') =>
  `# yarn lockfile v1\n\n\n${name}@^1.0.0:\n  version "1.0.0"\n  resolved "https://registry.yarnpkg.com/${name}/-/${name}-1.0.0.tgz#${tarball(name, '1.0.0').shasum}"\n  integrity ${tarball(name, '1.0.0').integrity}\n`;

interface Case {
  files(registry: TestRegistry): Record<string, string>;
  turns: ReturnType<typeof turn>[];
  /** The commands that ran, with their status. */
  ran: string[];
  changed: string[];
}

const cases: Record<string, Case> = {
  'a pnpm workspace': {
    files: ({ tarball }) => ({
      'package.json': json({ name: 'root', private: true, packageManager: 'pnpm@10.34.8' }),
      'pnpm-workspace.yaml': "packages:\n  - 'packages/*'\n",
      'pnpm-lock.yaml': `lockfileVersion: '9.0'\n\nsettings:\n  autoInstallPeers: true\n  excludeLinksFromLockfile: false\n\nimporters:\n\n  .: {}\n\n  packages/a:\n    dependencies:\n      fettle-t-left:\n        specifier: ^1.0.0\n        version: 1.0.0\n\n  packages/b: {}\n\npackages:\n\n  fettle-t-left@1.0.0:\n    resolution: {integrity: ${tarball('fettle-t-left', '1.0.0').integrity}}\n\nsnapshots:\n\n  fettle-t-left@1.0.0: {}\n`,
      'packages/a/package.json': json({ name: 'a', version: '1.0.0', scripts, dependencies }),
      'packages/a/sum.js': broken,
      'packages/a/sum.test.js': testOf('fettle-t-left'),
      'packages/b/package.json': json({ name: 'b', version: '1.0.0' }),
      '.gitignore': 'node_modules\n',
    }),
    turns: [edit('packages/a/sum.js'), turn(call('install_dependencies', { folder: 'packages/b' })), done],
    ran: [
      'setup pnpm install --frozen-lockfile passed',
      'verify pnpm -r --no-bail --if-present run test passed',
      'setup pnpm install --frozen-lockfile passed',
      'fresh pnpm -r --no-bail --if-present run test passed',
      'setup pnpm install --frozen-lockfile passed',
    ],
    changed: ['packages/a/sum.js'],
  },
  'Yarn 1, and a package that asks for an old Node': {
    files: (registry) => ({
      ...{ ...sum, 'sum.test.js': testOf('fettle-t-old') },
      'package.json': json({
        name: 'x',
        version: '1.0.0',
        license: 'MIT',
        scripts,
        dependencies: { 'fettle-t-old': '^1.0.0' },
      }),
      'yarn.lock': yarnLock(registry, 'fettle-t-old'),
    }),
    turns: [edit('sum.js'), turn(call('install_dependencies', {})), done],
    ran: [
      'setup yarn install --frozen-lockfile passed',
      'verify yarn test passed',
      'setup yarn install --frozen-lockfile passed',
      'fresh yarn test passed',
      'setup yarn install --frozen-lockfile passed',
    ],
    changed: ['sum.js'],
  },
  'no lockfile': {
    files: () => ({
      ...sum,
      'package.json': json({ name: 'x', version: '1.0.0', engines: { node: '>=1' }, scripts, dependencies }),
    }),
    turns: [edit('sum.js'), turn(call('install_dependencies', {})), done],
    ran: [
      'setup npm install --no-package-lock passed',
      'verify npm test passed',
      'setup npm install --no-package-lock passed',
      'fresh npm test passed',
      'setup npm install --no-package-lock passed',
    ],
    changed: ['sum.js'],
  },
  'a lockfile that does not match any more': {
    files: () => ({
      ...sum,
      'package.json': json({ name: 'x', version: '1.0.0', scripts, dependencies }),
      'package-lock.json': json({
        ...{ name: 'x', version: '1.0.0', lockfileVersion: 3, requires: true },
        packages: { '': { name: 'x', version: '1.0.0' } },
      }),
    }),
    turns: [edit('sum.js'), done],
    ran: [
      'setup npm ci failed',
      'setup npm install passed',
      'verify npm test passed',
      'setup npm install passed',
      'fresh npm test passed',
      'setup npm install passed',
    ],
    changed: ['sum.js'],
  },
  'a stray lockfile': {
    files: (registry) => ({
      ...sum,
      'package.json': json({ name: 'x', version: '1.0.0', license: 'MIT', scripts, dependencies }),
      'yarn.lock': yarnLock(registry),
    }),
    turns: [
      edit('sum.js'),
      turn(
        call('run_command', { command: 'echo {} > package-lock.json && mkdir -p .venv && echo x > .venv/x' }),
      ),
      turn(call('write_file', { path: 'pnpm-lock.yaml', content: 'x: 1\n' })),
      done,
    ],
    ran: [
      'setup yarn install --frozen-lockfile passed',
      'verify yarn test passed',
      'setup yarn install --frozen-lockfile passed',
      'fresh yarn test passed',
      'setup yarn install --frozen-lockfile passed',
    ],
    changed: ['sum.js'],
  },
};

describe.skipIf(why !== '')(`a repository without a config${why && ` (skipped: ${why})`}`, () => {
  let registry: TestRegistry;
  let platform: Platform;
  beforeAll(async () => {
    if ('missing' in managers) return;
    registry = await startTestRegistry();
    const files = { 'index.js': 'module.exports = "left";' };
    registry.publish(
      { name: 'fettle-t-left', version: '1.0.0', files },
      { name: 'fettle-t-old', version: '1.0.0', files, engines: { node: '0.10 || 0.12' } },
    );
    publishManager(registry, managers.folder, 'pnpm-10');
    publishManager(registry, managers.folder, 'yarn-1');
    platform = await startPlatform({
      conversations: Object.entries(cases).map(([name, { turns }]) => ({
        ...conversation(name, turns),
        match: name,
      })),
      settings: {
        FETTLE_REGISTRIES: `npm=${registry.url}`,
        FETTLE_SANDBOX: 'bubblewrap',
      },
    });
  });
  afterAll(async () => {
    await platform?.close();
    await registry?.close();
  });

  test.each(Object.entries(cases))('%s', async (name, { files, ran, changed }) => {
    const repository = makeRepository(files(registry));
    onTestFinished(() => repository.remove());
    const { operation, events } = await platform.run({
      ...{ kind: 'implement', description: name, repository: repository.path },
    });
    expect(platform.rehearsal.failures()).toEqual([]);
    const checks = events.flatMap((event) =>
      event.type === 'check.finished' && event.phase !== 'base' && event.phase !== 'evidence'
        ? [`${event.phase} ${event.check.command} ${event.check.status}`]
        : [],
    );
    expect(checks).toEqual(ran);
    const { outcome } = operation;
    if (outcome?.kind !== 'proposal') throw new Error(`no proposal: ${JSON.stringify(outcome)}`);
    expect(outcome.proof).toBe('proven');
    expect(repository.git('diff', '--name-only', 'main', outcome.branch).split('\n')).toEqual(changed);
  });
});
