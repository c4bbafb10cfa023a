import { createDiskCache } from './cache/disk-cache.ts';
import { npm } from './ecosystems/npm.ts';
import { findMachineNpmRegistry } from './machine-npm-registry.ts';
import { createRegistry, type Registry } from './registry.ts';
import type { AllowedRegistries } from './settings.ts';
import { createUpstream } from './upstream/upstream.ts';

export type { Registry };

export interface OpenRegistryOptions {
  allowed: AllowedRegistries;
  /** The folder of the cache. Several workers may share it. */
  folder: string;
  maxBytes: number;
  /** HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in upper or lower case. */
  proxy: Record<string, string>;
  /** The environment in which npm reads its configuration. */
  npmEnvironment: Record<string, string>;
}

/** npm is slow to print its configuration, so it runs only when the first sandbox needs a registry. */
export function openRegistry({
  allowed,
  folder,
  maxBytes,
  proxy,
  npmEnvironment,
}: OpenRegistryOptions): Registry {
  let asked: ReturnType<typeof askMachine> | undefined;
  async function askMachine() {
    const addresses = [await findMachineNpmRegistry(npmEnvironment)];
    return [...allowed.upstreams, createUpstream({ ecosystem: npm, addresses })];
  }
  const listed = allowed.upstreams.map(({ ecosystem }) => ecosystem.name);
  return createRegistry({
    names: allowed.npmByMachine ? [...listed, npm.name] : listed,
    async upstreams() {
      if (!allowed.npmByMachine) return allowed.upstreams;
      asked ??= askMachine();
      return asked;
    },
    cache: createDiskCache({ folder, maxBytes }),
    proxy,
  });
}
