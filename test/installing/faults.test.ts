/** A misbehaving registry, and forbidden actions of a package manager, with the real npm. */
import { afterAll, describe, expect, test } from 'vitest';
import { npm } from '../../packages/registry/src/ecosystems/npm.ts';
import { withInstallWindow } from '../../packages/registry/src/install-window.ts';
import {
  install,
  readOrMissing,
  startInstallStage,
  told,
} from '../../packages/registry/src/testing/install-stage.ts';
import { fetchPackageManagers, managers } from '../../packages/registry/src/testing/package-managers.ts';
import { createUpstream } from '../../packages/registry/src/upstream/upstream.ts';

const available = fetchPackageManagers();
const why = 'missing' in available ? ` (skipped: ${available.missing})` : '';

const manifest = JSON.stringify({
  name: 'app',
  version: '1.0.0',
  dependencies: { 'fettle-t-left': '1.0.0' },
});
const stage = await startInstallStage();
afterAll(stage.close);
stage.upstream.publish(
  { name: 'fettle-t-left', version: '1.0.0' },
  { name: 'fettle-t-new', version: '1.0.0' },
);
const locked = JSON.stringify({
  name: 'app',
  version: '1.0.0',
  lockfileVersion: 3,
  packages: {
    '': { name: 'app', version: '1.0.0', dependencies: { 'fettle-t-left': '1.0.0' } },
    'node_modules/fettle-t-left': {
      version: '1.0.0',
      resolved: 'https://registry.npmjs.org/fettle-t-left/-/fettle-t-left-1.0.0.tgz',
      integrity: stage.upstream.tarball('fettle-t-left', '1.0.0').integrity,
    },
  },
});

const start = () => stage.startSandbox('npm 11', { 'package.json': manifest, 'package-lock.json': locked });
const isInstalled = async (sandbox: Awaited<ReturnType<typeof start>>) =>
  (await readOrMissing(sandbox, 'node_modules/fettle-t-left/package.json')) !== undefined;

describe.skipIf('missing' in available)(`npm${why}`, () => {
  test.each(['npm 11', 'pnpm 10', 'pnpm 12', 'yarn 1', 'yarn 4'] as const)(
    '%s: wrong bytes are not installed, and are not kept for the next one',
    async (name) => {
      const lockfile = managers[name].lockfile;
      const files = {
        'package.json': manifest.replace('{', `{"packageManager":"${name.replace(' ', '@')}.0.0",`),
        ...(name === 'yarn 4' && { '.yarnrc.yml': 'nodeLinker: node-modules\n', 'yarn.lock': '' }),
      };
      const first = await stage.startSandbox(name, files);
      const made = await stage.install(first, { update: true });
      const text = await readOrMissing(first, lockfile);
      expect(text, made).toContain('fettle-t-left');

      stage.upstream.behave((request, response) => {
        if (!request.url?.endsWith('.tgz')) return false;
        response.end(stage.upstream.tarball('fettle-t-new', '1.0.0').bytes);
        return true;
      });
      const registry = stage.openRegistry({ cache: stage.newCache() });
      const locked = { ...files, [lockfile]: text ?? '' };
      const second = await stage.startSandbox(name, locked);
      const failed = told(await install({ sandbox: second, registry }));
      expect(await isInstalled(second), failed).toBe(false);

      stage.upstream.behave(undefined);
      const third = await stage.startSandbox(name, locked);
      const said = told(await install({ sandbox: third, registry }));
      expect(await isInstalled(third), failed + said).toBe(true);
    },
  );

  test('an unavailable registry: cached packages are installed, others are reported', async () => {
    const upstreams = [createUpstream({ ecosystem: npm, addresses: [stage.upstream.url] })];
    const registry = stage.openRegistry({ upstreams: async () => upstreams });
    stage.upstream.behave((request) => {
      request.destroy();
      return true;
    });
    const sandbox = await start();
    await install({ sandbox, registry });
    expect(await isInstalled(sandbox)).toBe(true);
    const said = told(await install({ sandbox, registry }, { packages: ['fettle-t-new'] }));
    expect(said).toMatch(/502/);
    expect(said).toMatch(/Failed: "\/fettle-t-new": 127\.0\.0\.1:\d+ does not respond/);
    stage.upstream.behave(undefined);
  });

  test.each([
    ['npm publish', 'npm publish --registry "$npm_config_registry" --//127.0.0.1/:_authToken=x'],
    ['npm login', 'npm login --auth-type=legacy </dev/null'],
    ['npm audit', 'npm audit'],
    ['npm view of tokens', 'npm token list'],
    ['npm search', 'npm search left'],
    ['npm whoami', 'npm whoami'],
  ])('%s gets nowhere', async (_what, command) => {
    const sandbox = await start();
    stage.upstream.forget();
    const { value } = await withInstallWindow(sandbox, stage.registry, async ({ environmentIn }) =>
      sandbox.run({ command, env: await environmentIn('') }),
    );
    expect(value.exitCode, value.output).not.toBe(0);
    expect(stage.upstream.requests().filter((line) => !/^GET \/fettle-t-left$/.test(line))).toEqual([]);
  });
});
