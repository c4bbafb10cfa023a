/** Installs the same lockfile with a cold and a warm cache, and plainly from the same registry. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BackendName, type Sandbox, startSandbox } from '@fettle/sandbox';
import { createDiskCache } from '../packages/registry/src/cache/disk-cache.ts';
import { npm } from '../packages/registry/src/ecosystems/npm.ts';
import { createRegistry } from '../packages/registry/src/registry.ts';
import { install, told } from '../packages/registry/src/testing/install-stage.ts';
import { fetchPackageManagers, makeSearchPath } from '../packages/registry/src/testing/package-managers.ts';
import { startTestRegistry, type TestRegistry } from '../packages/registry/src/testing/test-registry.ts';
import { createUpstream } from '../packages/registry/src/upstream/upstream.ts';
import { brokerFor, engine, stopBrokers } from '../test/support/brokers.ts';
import { putAtDistance } from './distant.ts';
import { median } from './statistics.ts';

/** The connection of an office. With a nearer registry, the cache saves less. */
export const distance = { delayMs: 40, bytesPerSecond: 20_000_000 / 8 };
const packages = 150;
const packageBytes = 120_000;
const rounds = 3;

/** Docker has its own npm. Without an engine, the process backend transfers the same bytes. */
const backend: BackendName = engine === undefined ? 'process' : 'docker';

export interface InstallFigures {
  backend: BackendName;
  coldMs: number;
  warmMs: number;
  plainMs: number;
}

/** Undefined if npm cannot be downloaded. */
export async function measureInstalls(): Promise<InstallFigures | undefined> {
  const managers = fetchPackageManagers();
  if ('missing' in managers) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'bench-install-'));
  const server = await startTestRegistry();
  const far = await putAtDistance(Number(new URL(server.url).port), distance);
  const files = publishAll(server);
  const searchPath = makeSearchPath(managers.folder, 'npm 11', folder);
  const samples = { coldMs: [] as number[], warmMs: [] as number[], plainMs: [] as number[] };
  // Closed at the end: removing so many files slows down later writes.
  const sandboxes: Sandbox[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      const place = { folder: join(folder, String(round)), url: far.url, searchPath, files, sandboxes };
      samples.coldMs.push(await installInSandbox(place));
      samples.warmMs.push(await installInSandbox(place));
      samples.plainMs.push(await installPlainly(place));
    }
  } finally {
    await Promise.all(sandboxes.map((sandbox) => sandbox.close()));
    far.close();
    await server.close();
    await stopBrokers();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  const { coldMs, warmMs, plainMs } = samples;
  return { backend, coldMs: median(coldMs), warmMs: median(warmMs), plainMs: median(plainMs) };
}

/** Returns the files of a repository that depends on all packages. */
function publishAll(server: TestRegistry): Record<string, string> {
  const names = Array.from({ length: packages }, (_, n) => `fettle-bench-${n}`);
  for (const name of names) {
    const content = Array.from({ length: 10 }, (_, n) => [`f${n}.bin`, randomBytes(packageBytes / 10)]);
    server.publish({ name, version: '1.0.0', files: Object.fromEntries(content) });
  }
  const app = {
    name: 'app',
    version: '1.0.0',
    dependencies: Object.fromEntries(names.map((name) => [name, '1.0.0'])),
  };
  const locked = names.map((name) => [
    `node_modules/${name}`,
    {
      version: '1.0.0',
      resolved: `https://registry.npmjs.org/${name}/-/${name}-1.0.0.tgz`,
      integrity: server.tarball(name, '1.0.0').integrity,
    },
  ]);
  return {
    'package.json': JSON.stringify(app),
    'package-lock.json': JSON.stringify({
      name: 'app',
      version: '1.0.0',
      lockfileVersion: 3,
      requires: true,
      packages: { '': app, ...Object.fromEntries(locked) },
    }),
  };
}

interface BenchPlace {
  folder: string;
  url: string;
  searchPath: string;
  files: Record<string, string>;
  sandboxes: Sandbox[];
}

async function installInSandbox({ folder, url, searchPath, files, sandboxes }: BenchPlace): Promise<number> {
  const upstreams = [createUpstream({ ecosystem: npm, addresses: [url] })];
  const cache = createDiskCache({ folder: join(folder, 'cache'), maxBytes: 1e9 });
  const registry = createRegistry({ names: ['npm'], upstreams: async () => upstreams, cache });
  const sandbox = await openSandbox(join(folder, 'sandboxes'), searchPath);
  sandboxes.push(sandbox);
  for (const [path, text] of Object.entries(files)) await sandbox.writeFile(path, Buffer.from(text));
  const startedAt = performance.now();
  const installed = await install({ sandbox, registry });
  const took = performance.now() - startedAt;
  if (!installed.ok || installed.runs[0]?.result.exitCode !== 0) throw new Error(told(installed));
  return took;
}

async function openSandbox(folder: string, searchPath: string): Promise<Sandbox> {
  const broker = backend === 'docker' ? await brokerFor(undefined) : undefined;
  return startSandbox({ backend, folder, searchPath, broker });
}

async function installPlainly({ folder, url, searchPath, files }: BenchPlace): Promise<number> {
  const home = join(folder, 'plain-home');
  const workspace = join(folder, 'plain');
  for (const path of [home, workspace]) mkdirSync(path, { recursive: true });
  for (const [path, text] of Object.entries(files)) writeFileSync(join(workspace, path), text);
  const env = {
    PATH: searchPath,
    HOME: home,
    CI: 'true',
    npm_config_registry: url,
    npm_config_replace_registry_host: 'always',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  };
  const startedAt = performance.now();
  await promisify(execFile)('npm', ['ci', '--ignore-scripts'], { cwd: workspace, env });
  return performance.now() - startedAt;
}
