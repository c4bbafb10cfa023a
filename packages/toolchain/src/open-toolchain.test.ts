import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRegistry, readRegistries } from '@fettle/registry';
import { startTestRegistry } from '@fettle/registry/testing';
import { startSandbox } from '@fettle/sandbox';
import { expect, onTestFinished, test } from 'vitest';
import { equipSandbox } from './equip-sandbox.ts';
import { openToolchain, ownNodeVersion, toolsFolder } from './open-toolchain.ts';
import { rootOf } from './testing/root-of.ts';

const { signal } = new AbortController();
const hasNpm = async () => true;
const script = (text: string) => `#!/bin/sh\necho ${text}\n`;

async function open() {
  const home = mkdtempSync(join(tmpdir(), 'toolchain-'));
  const server = await startTestRegistry();
  onTestFinished(async () => {
    await server.close();
    rmSync(home, { recursive: true });
  });
  for (const version of ['9.1.0', '9.9.0', '10.4.0'])
    server.publish({
      ...{ name: 'pnpm', version, bin: { pnpm: 'bin/pnpm.cjs' } },
      files: { 'bin/pnpm.cjs': script(version) },
    });
  const node = `node-linux-${process.arch}`;
  server.publish({ name: node, version: '18.20.0', files: { 'bin/node': script('v18.20.0') } });
  server.publish({
    ...{ name: 'npm', version: '10.8.0', bin: { npm: 'bin/npm-cli.js' } },
    files: { 'bin/npm-cli.js': script('10.8.0') },
  });
  const openOne = () =>
    openToolchain(
      home,
      openRegistry({
        allowed: readRegistries({ registries: `npm=${server.url}`, tokens: undefined }),
        folder: join(home, 'registry-cache'),
        ...{ maxBytes: 1e9, proxy: {}, npmEnvironment: {} },
      }),
    );
  return { home, server, openOne, toolchain: openOne() };
}

const pnpmRoot = rootOf({ 'package.json': '{"packageManager":"pnpm@9.1.0"}' });

test('downloads the named version once, also for two processes at the same time', async () => {
  const { home, server, openOne } = await open();
  const both = await Promise.all(
    [openOne(), openOne()].map((each) => each.prepare(pnpmRoot, { hasNpm, signal })),
  );
  const pnpm = {
    tool: 'pnpm',
    version: '9.1.0',
    source: 'packageManager in package.json',
    folder: 'pnpm-9.1.0',
  };
  const node = { tool: 'node', version: ownNodeVersion, source: 'package.json' };
  expect(both).toEqual(both.map(() => ({ tools: [node, pnpm], problems: [] })));
  expect(readdirSync(toolsFolder(home))).toEqual(['pnpm-9.1.0']);
  server.forget();
  await openOne().prepare(pnpmRoot, { hasNpm, signal });
  expect(server.requests()).toEqual([]);
});

test.for([
  ['0.10 || 0.12', ownNodeVersion, true],
  ['>=4 <6', ownNodeVersion, true],
  ['0.12 || 16 || 18', '18.20.0', false],
  ['>=4', ownNodeVersion, false],
] as const)('engines %j choose Node %s', async ([range, version, isReplaced]) => {
  const { toolchain } = await open();
  const manifest = JSON.stringify({ engines: { node: range } });
  const { tools, problems } = await toolchain.prepare(rootOf({ 'package.json': manifest }), {
    hasNpm,
    signal,
  });
  const hint = `engines in package.json allows only Node ${range}, all older than 18; Fettle's own Node ${ownNodeVersion} is used`;
  expect([tools[0]?.version, problems]).toEqual([version, isReplaced ? [hint] : []]);
});

test('a damaged archive is not installed', async () => {
  const { home, server, toolchain } = await open();
  server.behave((request, response) => {
    if (!request.url?.endsWith('.tgz')) return false;
    response.end(server.tarball('pnpm', '9.9.0').bytes);
    return true;
  });
  const { tools, problems } = await toolchain.prepare(pnpmRoot, { hasNpm, signal });
  expect(tools.map(({ tool }) => tool)).toEqual(['node']);
  expect(problems).toEqual([
    'pnpm 9.1.0 (packageManager in package.json) could not be provided: pnpm@9.1.0 does not have the digest that the registry lists',
  ]);
  expect(readdirSync(toolsFolder(home))).toEqual([]);
});

const hasBubblewrap = (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, 'bwrap')));

test.for(hasBubblewrap ? (['process', 'bubblewrap'] as const) : (['process'] as const))(
  'tools come first in a sandbox, together with an npm that fits: %s',
  async (backend) => {
    const { home, toolchain } = await open();
    const sandbox = await startSandbox({
      backend,
      folder: join(home, 'sandboxes'),
      tools: toolsFolder(home),
    });
    try {
      const root = rootOf({
        '.nvmrc': '18',
        'package.json': '{}',
        'pnpm-lock.yaml': "lockfileVersion: '9.0'",
      });
      const { problems } = await equipSandbox(toolchain, sandbox, { root, signal });
      const versions = await sandbox.run({ command: 'node --version; pnpm --version; npm --version' });
      expect([problems, versions.output]).toEqual([[], 'v18.20.0\n10.4.0\n10.8.0\n']);
      const write = await sandbox.run({ command: 'echo x > "$(dirname "$(command -v pnpm)")/x"' });
      if (backend === 'bubblewrap') expect(write.output).toContain('Read-only file system');
      const other = rootOf({ 'package.json': '{}' });
      await equipSandbox(toolchain, sandbox, { root: other, signal });
      expect((await sandbox.run({ command: 'node --version' })).output).toBe(`v${ownNodeVersion}\n`);
    } finally {
      await sandbox.close();
    }
  },
);
