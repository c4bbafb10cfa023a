import { createDiskCache } from './cache/disk-cache.ts';
import { npm } from './ecosystems/npm.ts';
import { findMachineNpmRegistry } from './machine-npm-registry.ts';
import { createRegistry, type Registry } from './registry.ts';
import type { AllowedRegistries } from './settings.ts';
import { createUpstream } from './upstream/upstream.ts';

export type { Registry };

export interface OpenRegistryOptions {
  allowed: AllowedRegistries;
  /** The cache, which several workers may share. */
  folder: string;
  maxBytes: number;
}

/** What npm's own configuration says is asked for when the first sandbox needs it, since npm takes its time. */
export function openRegistry({ allowed, folder, maxBytes }: OpenRegistryOptions): Registry {
  let asked: ReturnType<typeof askMachine> | undefined;
  async function askMachine() {
    const addresses = [await findMachineNpmRegistry()];
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
  });
}
