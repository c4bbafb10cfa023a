/** Real package managers in a sandbox whose only registry is on loopback. */
import { afterAll, describe, expect, test } from 'vitest';
import {
  install,
  readOrMissing,
  startInstallStage,
} from '../../packages/registry/src/testing/install-stage.ts';
import {
  fetchPackageManagers,
  type ManagerName,
  managers,
} from '../../packages/registry/src/testing/package-managers.ts';

const available = fetchPackageManagers();
const why = 'missing' in available ? ` (skipped: ${available.missing})` : '';
const names = Object.keys(managers) as ManagerName[];

const stage = await startInstallStage();
afterAll(stage.close);
stage.upstream.publish(
  { name: 'fettle-t-left', version: '1.0.0', files: { 'index.js': 'module.exports = "left";' } },
  { name: '@fettle-t/right', version: '2.1.0', dependencies: { 'fettle-t-left': '^1.0.0' } },
  { name: 'fettle-t-built', version: '1.0.0', scripts: { postinstall: 'echo ran > ran.txt' } },
  { name: 'fettle-t-other', version: '1.0.0', scripts: { postinstall: 'echo ran > ran.txt' } },
  { name: 'fettle-t-extra', version: '3.0.0' },
);

const manifest = JSON.stringify({
  name: 'app',
  version: '1.0.0',
  license: 'MIT',
  scripts: { postinstall: 'echo ran > project-ran.txt' },
  dependencies: { '@fettle-t/right': '^2.0.0', 'fettle-t-built': '1.0.0', 'fettle-t-other': '1.0.0' },
});

/** Settings of a repository that try to replace ours. Nothing listens on 127.0.0.1:9. */
const elsewhere = {
  '.npmrc':
    'registry=http://127.0.0.1:9/\nignore-scripts=false\nscript-shell=/nowhere/sh\nreplace-registry-host=never\n',
  'pnpm-workspace.yaml':
    'registry: http://127.0.0.1:9/\nignoreScripts: false\ndangerouslyAllowAllBuilds: true\n',
  '.yarnrc': 'registry "http://127.0.0.1:9/"\nignore-scripts false\n',
};

function filesFor(name: ManagerName): Record<string, string> {
  const files: Record<string, string> = { 'package.json': manifest, '.gitignore': 'node_modules\n' };
  if (name === 'yarn 4') {
    files['.yarnrc.yml'] =
      'nodeLinker: node-modules\nnpmRegistryServer: "http://127.0.0.1:9/"\nenableScripts: true\n';
    files['yarn.lock'] = '';
  }
  if (name.startsWith('pnpm'))
    files['package.json'] = manifest.replace('{', '{"packageManager":"pnpm@9.0.1",');
  if (name === 'yarn 1') files['package.json'] = manifest.replace('{', '{"packageManager":"yarn@1.22.0",');
  return files;
}

describe.skipIf('missing' in available).each(names)(`%s${why}`, (name) => {
  const { lockfile } = managers[name];
  let locked = '';

  test('makes a lockfile that names no address of the sandbox', async () => {
    const sandbox = await stage.startSandbox(name, filesFor(name));
    const said = await stage.install(sandbox, { update: true });
    locked = (await readOrMissing(sandbox, lockfile)) ?? '';
    expect(locked, said).toContain('fettle-t-left');
    expect(locked).not.toContain('127.0.0.1');
  });

  test('installs by the lockfile, whatever the repository says, from the cache', async () => {
    const sandbox = await stage.startSandbox(name, { ...filesFor(name), ...elsewhere, [lockfile]: locked });
    stage.upstream.forget();
    const said = await stage.install(sandbox);
    const index = await readOrMissing(sandbox, 'node_modules/fettle-t-built/package.json');
    expect(index, said).toContain('postinstall');
    expect(stage.upstream.requests().filter((line) => line.endsWith('.tgz'))).toEqual([]);
    expect(await readOrMissing(sandbox, lockfile)).toBe(locked);
    const ran = [
      'node_modules/fettle-t-built/ran.txt',
      'node_modules/fettle-t-other/ran.txt',
      'project-ran.txt',
    ];
    for (const path of ran) expect(await readOrMissing(sandbox, path)).toBeUndefined();
  });

  test('adds a package, and runs the scripts of those that are allowed', async () => {
    const sandbox = await stage.startSandbox(name, { ...filesFor(name), [lockfile]: locked });
    const options = { packages: ['fettle-t-extra@3.0.0'], scripts: ['fettle-t-built'] };
    const said = await stage.install(sandbox, options);
    expect(await readOrMissing(sandbox, 'package.json'), said).toContain('fettle-t-extra');
    const after = (await readOrMissing(sandbox, lockfile)) ?? '';
    expect(after).toContain('fettle-t-extra');
    expect(after).not.toContain('127.0.0.1');
    expect(await readOrMissing(sandbox, 'node_modules/fettle-t-built/ran.txt'), said).toBe('ran\n');
    expect(await readOrMissing(sandbox, 'node_modules/fettle-t-other/ran.txt')).toBeUndefined();
    expect(await readOrMissing(sandbox, 'project-ran.txt')).toBeUndefined();
  });

  test('fails at once outside of an install window', async () => {
    const sandbox = await stage.startSandbox(name, { ...filesFor(name), [lockfile]: locked });
    const { offerRegistries } = await import('../../packages/registry/src/install-window.ts');
    await offerRegistries(sandbox, stage.registry);
    stage.upstream.forget();
    const command = `${managers[name].program} ${name.startsWith('npm') ? 'install' : 'add'} fettle-t-extra`;
    const { exitCode, output, durationMs } = await sandbox.run({ command });
    expect(exitCode, output).not.toBe(0);
    expect(output).toMatch(/install_dependencies|403|Forbidden/);
    expect(durationMs).toBeLessThan(30_000);
    expect(stage.upstream.requests()).toEqual([]);
  });
});

test.skipIf('missing' in available)(`yarn 4 with Plug'n'Play${why}`, async () => {
  const files = { ...filesFor('yarn 4'), '.yarnrc.yml': '' };
  const sandbox = await stage.startSandbox('yarn 4', files);
  const said = await stage.install(sandbox, { update: true });
  expect(await readOrMissing(sandbox, '.pnp.cjs'), said).toContain('fettle-t-left');
  const { output } = await sandbox.run({
    command: 'yarn node -p "require(\'@fettle-t/right/package.json\').version"',
  });
  expect(output).toBe('2.1.0\n');
});

describe.skipIf('missing' in available)(`lockfiles of Yarn 1${why}`, () => {
  const lockfileOf = (origin: string) => {
    const { integrity } = stage.upstream.tarball('fettle-t-left', '1.0.0');
    const resolved = `${origin}fettle-t-left/-/fettle-t-left-1.0.0.tgz`;
    const entry = `  version "1.0.0"\n  resolved "${resolved}"\n  integrity ${integrity}\n`;
    return `# yarn lockfile v1\n\n\nfettle-t-left@^1.0.0:\n${entry}`;
  };
  const app = JSON.stringify({ name: 'app', dependencies: { 'fettle-t-left': '^1.0.0' } });

  test.each(['https://registry.npmjs.org/', 'https://registry.yarnpkg.com/', 'the registry itself'])(
    'with addresses of %s',
    async (origin) => {
      const locked = lockfileOf(origin.startsWith('https') ? origin : stage.upstream.url);
      const sandbox = await stage.startSandbox('yarn 1', { 'package.json': app, 'yarn.lock': locked });
      const said = await stage.install(sandbox);
      expect(await readOrMissing(sandbox, 'node_modules/fettle-t-left/index.js'), said).toContain('left');
      expect(await readOrMissing(sandbox, 'yarn.lock')).toBe(locked);
    },
  );

  test('that are too large end the install with one sentence', async () => {
    const locked = lockfileOf('https://registry.npmjs.org/');
    const files = { 'package.json': app, 'yarn.lock': locked, 'a/yarn.lock': '#'.repeat(16_000_001) };
    const sandbox = await stage.startSandbox('yarn 1', files);
    expect(await install({ sandbox, registry: stage.registry })).toEqual({
      ok: false,
      reason: 'the lockfile "a/yarn.lock" has more than 16000000 bytes',
    });
    expect(await readOrMissing(sandbox, 'yarn.lock')).toBe(locked);
  });
});
