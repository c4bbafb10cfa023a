/** pnpm and Yarn in the sandbox image: in set-up, by the tool, and a Yarn that the image lacks. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { openSandbox, startDockerToolbox } from '@fettle/sandbox';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readOrMissing, startInstallStage } from '../../packages/registry/src/testing/install-stage.ts';
import {
  fetchPackageManagers,
  publishManager,
} from '../../packages/registry/src/testing/package-managers.ts';
import { startTestRegistry, type TestRegistry } from '../../packages/registry/src/testing/test-registry.ts';
import { brokerFor, engine, stopBrokers } from '../support/brokers.ts';
import { proposalOf, toolParts } from '../support/events.ts';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import { settingsFor } from '../support/sandbox-settings.ts';

const why = engine ? '' : ' (skipped: FETTLE_TEST_ENGINE names no engine)';
const manifest = JSON.stringify({
  name: 'app',
  version: '1.0.0',
  dependencies: { 'fettle-t-left': '1.0.0' },
});

interface Case {
  name: string;
  setup: string;
  adds: string;
  lockfile: string;
  lock(registry: TestRegistry): string;
}

const cases: Case[] = [
  {
    name: 'pnpm',
    setup: 'pnpm install --frozen-lockfile',
    adds: '$ pnpm add ',
    lockfile: 'pnpm-lock.yaml',
    lock: (registry) => `lockfileVersion: '9.0'
settings: { autoInstallPeers: true, excludeLinksFromLockfile: false }
importers:
  .: { dependencies: { fettle-t-left: { specifier: 1.0.0, version: 1.0.0 } } }
packages:
  fettle-t-left@1.0.0: { resolution: { integrity: ${registry.tarball('fettle-t-left', '1.0.0').integrity} } }
snapshots:
  fettle-t-left@1.0.0: {}
`,
  },
  {
    name: 'yarn',
    setup: 'yarn install --frozen-lockfile',
    adds: '$ yarn add ',
    lockfile: 'yarn.lock',
    lock: (registry) => `# yarn lockfile v1


fettle-t-left@1.0.0:
  version "1.0.0"
  resolved "https://registry.yarnpkg.com/fettle-t-left/-/fettle-t-left-1.0.0.tgz"
  integrity ${registry.tarball('fettle-t-left', '1.0.0').integrity}
`,
  },
];

const work = conversation('work', [
  turn(call('install_dependencies', {})),
  turn(call('install_dependencies', { packages: ['fettle-t-extra@^3.0.0'] })),
  turn(say('Use the extra package\n\nIt is needed.')),
]);

async function runOperation({ setup, lockfile, lock }: Case) {
  const registry = await startTestRegistry();
  onTestFinished(() => registry.close());
  registry.publish(
    { name: 'fettle-t-left', version: '1.0.0', files: { 'index.js': 'module.exports = 1;' } },
    { name: 'fettle-t-extra', version: '3.0.1' },
  );
  const settings = { FETTLE_REGISTRIES: `npm=${registry.url}`, ...(await settingsFor('docker')) };
  const platform = await openPlatform({ conversations: [work], settings });
  const repository = openRepository({
    'package.json': manifest,
    [lockfile]: lock(registry),
    '.fettle/config.yml': JSON.stringify({
      setup: [setup],
      commands: { test: 'node -e "process.exit(require(\'fettle-t-left\') - 1)"' },
    }),
    '.gitignore': 'node_modules\n',
  });
  const { operation, events } = await platform.run(repository.request('implement', 'use the extra package'));
  expect(platform.rehearsal.failures()).toEqual([]);
  return { repository, events, outcome: proposalOf(operation) };
}

describe.skipIf(!engine)(`in docker${why}`, () => {
  test.for(cases)('$name: an operation installs in set-up and by the tool', async (given) => {
    const { repository, events, outcome } = await runOperation(given);
    const parts = toolParts(events);
    const said = parts.map(({ output }) => output).join('\n');
    expect(
      parts.map(({ status }) => status),
      said,
    ).toEqual(['ok', 'ok']);
    expect(said).toContain(given.adds);
    expect(said).not.toContain('npx');
    expect(outcome.draft).toBe(false);
    const locked = repository.git('show', `${outcome.branch}:${given.lockfile}`);
    expect(locked).toContain('fettle-t-extra');
    expect(locked).not.toContain('127.0.0.1');
  });

  test.for(['by npx', 'by yarnPath'])('yarn 4 comes %s', async (way, { skip }) => {
    const found = fetchPackageManagers();
    if ('missing' in found) return skip(found.missing);
    const stage = await startInstallStage();
    onTestFinished(() => stage.close());
    stage.upstream.publish({ name: 'fettle-t-left', version: '1.0.0' });
    publishManager(stage.upstream, found.folder, 'yarn-4');
    onTestFinished(stopBrokers);
    const toolbox = await startDockerToolbox({ broker: await brokerFor(undefined) });
    const sandbox = await openSandbox(toolbox, { backend: 'docker', warning: undefined });
    onTestFinished(() => sandbox.close());
    const files = {
      'package.json': manifest.replace('{', '{"packageManager":"yarn@4.18.1",'),
      'yarn.lock': '',
      '.yarnrc.yml': `nodeLinker: node-modules\n${way === 'by npx' ? '' : 'yarnPath: ./yarn.cjs\n'}`,
      'yarn.cjs': readFileSync(join(found.folder, 'node_modules/yarn-4/bin/yarn.js'), 'utf8'),
    };
    for (const [path, text] of Object.entries(files)) await sandbox.writeFile(path, Buffer.from(text));
    const said = await stage.install(sandbox, { update: true });
    expect(await readOrMissing(sandbox, 'yarn.lock'), said).toContain('fettle-t-left@npm:1.0.0');
    expect(await readOrMissing(sandbox, 'node_modules/fettle-t-left/package.json'), said).toBeDefined();
    expect(said.includes('npx runs @yarnpkg/cli-dist@4.18.1'), said).toBe(way === 'by npx');
  });
});
