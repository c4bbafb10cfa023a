// The only time in which a sandbox reaches a registry: during set-up, and for the tool install_dependencies.
import type { RegistryOrigins, Sandbox } from '@fettle/sandbox';
import { clientEnvironment, scriptsOff } from './clients/environment.ts';
import { findPackageManager } from './clients/find-client.ts';
import { createLockfileAddresses } from './clients/lockfile-addresses.ts';
import { offeredNames } from './ecosystems/ecosystems.ts';
import { createFetchPlace, type Registry } from './registry.ts';
import { createTraffic, type Traffic } from './traffic.ts';

/**
 * Lets package managers find the registries, which refuse everything while no window is open. Where none is allowed they
 * find all of them, which never give anything: a package manager then hears so at once, and does not look elsewhere.
 */
export async function offerRegistries(sandbox: Sandbox, registry: Registry): Promise<RegistryOrigins> {
  return sandbox.offerRegistries({
    registries: registry.names.length > 0 ? registry.names : offeredNames,
    async environment(origins) {
      const found = await findPackageManager(sandbox, '');
      return clientEnvironment({ origins, manager: found.ok ? found.manager : undefined });
    },
  });
}

export interface WindowResult<T> {
  value: T;
  traffic: Traffic;
}

/** What npm, pnpm, Yarn, pip and go say when a package is not what the lockfile or the index says that it is. */
const WRONG_BYTES =
  /EINTEGRITY|INTEGRITY|integrity check failed|checksum|corrupted|ZLIB|TAR_BAD|unexpected end of (file|data)|not match the hashes|hash mismatch|not a (valid )?(zip|gzip) file|\.whl is invalid/i;

/** Whether the output of a failed install tells of bytes that are wrong: they must not stay in the cache. */
export function tellsOfWrongBytes({
  exitCode,
  output,
}: {
  exitCode: number | null;
  output: string;
}): boolean {
  return exitCode !== 0 && WRONG_BYTES.test(output);
}

export interface WindowContext {
  /** For the commands in the window: install scripts are off in it. */
  environment: Record<string, string>;
  /** Has what came through this window fetched anew the next time. */
  distrust(): Promise<void>;
}

export async function withInstallWindow<T>(
  sandbox: Sandbox,
  registry: Registry,
  action: (context: WindowContext) => Promise<T>,
): Promise<WindowResult<T>> {
  const traffic = createTraffic();
  const origins = await offerRegistries(sandbox, registry);
  const lockfiles = await findLockfileAddresses(sandbox, registry, origins);
  try {
    await lockfiles?.pointToLoopback();
    const value = await withFetches(sandbox, registry, { origins, traffic, action });
    return { value, traffic };
  } finally {
    await lockfiles?.restore();
  }
}

interface Fetching<T> {
  origins: RegistryOrigins;
  traffic: ReturnType<typeof createTraffic>;
  action: (context: WindowContext) => Promise<T>;
}

async function withFetches<T>(
  sandbox: Sandbox,
  registry: Registry,
  { origins, traffic, action }: Fetching<T>,
): Promise<T> {
  const place = createFetchPlace(origins);
  const window = await sandbox.openFetchWindow({
    async answer(fetch, signal) {
      const answered = await registry.answer(fetch, place, signal);
      traffic.note(fetch.path, answered);
      return answered;
    },
  });
  try {
    return await action({ environment: scriptsOff, distrust: () => registry.distrust(place) });
  } finally {
    await window.close();
  }
}

async function findLockfileAddresses(sandbox: Sandbox, registry: Registry, { npm }: RegistryOrigins) {
  const upstream = (await registry.upstreams()).find(({ ecosystem }) => ecosystem.name === 'npm');
  if (upstream === undefined || npm === undefined) return undefined;
  const { lockfileBudget: budget } = registry;
  return createLockfileAddresses({ sandbox, budget, base: `${npm}/`, registry: upstream.registry.href });
}
