/** A sandbox reaches registries only while an install window is open: during set-up and for the tool install_dependencies. */
import type { RegistryOrigins, Sandbox } from '@fettle/sandbox';
import { clientEnvironment, scriptsOff } from './clients/environment.ts';
import { findPackageManager } from './clients/find-client.ts';
import { createLockfileAddresses } from './clients/lockfile-addresses.ts';
import { offeredNames } from './ecosystems/ecosystems.ts';
import { createWindowState, type Registry } from './registry.ts';
import { createTraffic, type Traffic } from './traffic.ts';

/**
 * Points package managers to the registries, which refuse every request while no window is open. If the operator allows
 * no registry, all of them are offered and always refuse, so that a package manager fails at once with the reason.
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

/** Messages of npm, pnpm, Yarn, pip and go about a package that does not match the lockfile or the index. */
const integrityMessages =
  /EINTEGRITY|INTEGRITY|integrity check failed|checksum|corrupted|ZLIB|TAR_BAD|unexpected end of (file|data)|not match the hashes|hash mismatch|not a (valid )?(zip|gzip) file|\.whl is invalid/i;

/** Whether an install failed because of damaged packages, which must not stay in the cache. */
export function isIntegrityFailure({
  exitCode,
  output,
}: {
  exitCode: number | null;
  output: string;
}): boolean {
  return exitCode !== 0 && integrityMessages.test(output);
}

export interface WindowContext {
  /** For commands in the window that run in this folder. Turns install scripts off. */
  environmentIn(folder: string): Promise<Record<string, string>>;
  /** Removes the packages of this window from the cache, so that the next install downloads them again. */
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
  const state = createWindowState(origins);
  const window = await sandbox.openFetchWindow({
    async answer(fetch, signal) {
      const answer = await registry.answer(fetch, state, signal);
      traffic.note(fetch.path, answer);
      return answer;
    },
  });
  try {
    const environmentIn = async (folder: string) => {
      const found = await findPackageManager(sandbox, folder);
      return scriptsOff(found.ok ? found.manager : undefined);
    };
    return await action({ environmentIn, distrust: () => registry.distrust(state) });
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
