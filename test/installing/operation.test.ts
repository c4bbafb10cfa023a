/** A whole operation on a repository with dependencies: set-up, the tool, the fresh sandbox. */
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { expect, onTestFinished, test } from 'vitest';
import { startTestRegistry, type TestRegistry } from '../../packages/registry/src/testing/test-registry.ts';
import { ofType, proposalOf, toolParts } from '../support/events.ts';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import { sandboxes, settingsFor } from '../support/sandbox-settings.ts';
import { shell, shellFile } from '../support/shell-file.ts';

const put =
  'fetch(process.env.npm_config_registry + "fettle-t-left", { method: "PUT", body: "{}" }).then(async (r) => console.log(await r.text()))';
const work = conversation('work', [
  turn(call('run_command', { command: 'npm install fettle-t-extra' })),
  turn(call('run_command', { command: shell('npm install fettle-t-extra') })),
  turn(call('run_command', { command: 'node put.mjs' })),
  turn(call('install_dependencies', { packages: ['fettle-t-extra@^3.0.0'] })),
  turn(call('install_dependencies', { packages: ['fettle-t-missing'] })),
  turn(say('Use the extra package\n\nIt is needed.')),
]);

async function setUp(name: string) {
  const registry = await startTestRegistry();
  onTestFinished(() => registry.close());
  const scripts = { postinstall: 'echo ran > ran.txt' };
  registry.publish(
    { name: 'fettle-t-left', version: '1.0.0', files: { 'index.js': 'module.exports = 1;' } },
    { name: 'fettle-t-built', version: '1.0.0', scripts },
    { name: 'fettle-t-other', version: '1.0.0', scripts },
    { name: 'fettle-t-extra', version: '3.0.1' },
  );
  const settings = {
    FETTLE_REGISTRIES: `npm=${registry.url}`,
    FETTLE_INSTALL_SCRIPTS: 'fettle-t-built, fettle-t-unheard-of',
    ...(await settingsFor(name)),
  };
  const platform = await openPlatform({ conversations: [work], settings });
  const repository = openRepository(makeFiles(registry));
  return { registry, platform, repository };
}

function makeFiles(registry: TestRegistry): Record<string, string> {
  const names = ['fettle-t-left', 'fettle-t-built', 'fettle-t-other'];
  const dependencies = Object.fromEntries(names.map((name) => [name, '^1.0.0']));
  const locked = names.map((name) => [
    `node_modules/${name}`,
    {
      version: '1.0.0',
      resolved: `https://registry.npmjs.org/${name}/-/${name}-1.0.0.tgz`,
      integrity: registry.tarball(name, '1.0.0').integrity,
      ...(name !== 'fettle-t-left' && { hasInstallScript: true }),
    },
  ]);
  const app = { name: 'app', version: '1.0.0', dependencies };
  const check = [
    'test "$(node -p "require(\'fettle-t-left\')")" = 1',
    'test -f node_modules/fettle-t-built/ran.txt',
    'test ! -f node_modules/fettle-t-other/ran.txt',
  ].join(' && ');
  return {
    'package.json': JSON.stringify(app, null, 2),
    'package-lock.json': JSON.stringify(
      {
        name: 'app',
        version: '1.0.0',
        lockfileVersion: 3,
        requires: true,
        packages: { '': app, ...Object.fromEntries(locked) },
      },
      null,
      2,
    ),
    '.fettle/config.yml': JSON.stringify({
      setup: ['npm ci'],
      commands: { test: check },
      install: { scripts: ['fettle-t-built', 'fettle-t-other'] },
    }),
    '.gitignore': 'node_modules\n',
    'put.mjs': put,
    ...shellFile,
  };
}

test.for([...sandboxes, { name: 'process', missing: '' }])(
  'packages are installed by set-up and by the tool only, in $name',
  async ({ name, missing }, { skip }) => {
    skip(missing !== '', missing);
    const { registry, platform, repository } = await setUp(name);
    const { operation, events } = await platform.run(
      repository.request('implement', 'use the extra package'),
    );
    expect(platform.rehearsal.failures()).toEqual([]);
    const checks = ofType(events, 'check.finished');
    expect(checks.map(({ phase, check }) => [phase, check.command.slice(0, 28), check.status])).toEqual([
      ['setup', 'npm ci', 'passed'],
      ['setup', 'npm rebuild fettle-t-built', 'passed'],
      ['verify', checks[2]?.check.command.slice(0, 28), 'passed'],
      ['setup', 'npm ci', 'passed'],
      ['setup', 'npm rebuild fettle-t-built', 'passed'],
      ['fresh', checks[2]?.check.command.slice(0, 28), 'passed'],
    ]);

    const parts = toolParts(events);
    expect(parts.map(({ status }) => status)).toEqual(['denied', 'failed', 'ok', 'ok', 'failed']);
    const [denied, installed, published, added, unknown] = parts.map(({ output }) => output);
    expect(denied).toMatch(/rule (?:npm install|contained\/install).*use install_dependencies/s);
    expect(installed).toMatch(/403.*Call install_dependencies instead/s);
    expect(published).toMatch(/PUT is not supported/);
    expect(added).toMatch(
      /^\$ npm install fettle-t-extra@\^3\.0\.0\n.*\$ npm rebuild.*requests to the registry/s,
    );
    expect(unknown).toMatch(/404/);

    const outcome = proposalOf(operation);
    expect(outcome.draft).toBe(false);
    const changed = repository.git('diff', '--name-only', 'main', outcome.branch);
    expect(changed.split('\n')).toEqual(['package-lock.json', 'package.json']);
    const lockfile = repository.git('show', `${outcome.branch}:package-lock.json`);
    expect(lockfile).toContain('https://registry.npmjs.org/fettle-t-extra/-/fettle-t-extra-3.0.1.tgz');
    expect(lockfile).not.toContain('127.0.0.1');

    // Each file was fetched once, with GET. The second and third install used the cache.
    const tarballs = registry.requests().filter((line) => line.endsWith('.tgz'));
    expect(tarballs).toHaveLength(4);
    expect(registry.requests().filter((line) => !line.startsWith('GET '))).toEqual([]);
  },
);
