import { crates } from './crates.ts';
import type { Ecosystem } from './ecosystem.ts';
import { go } from './go.ts';
import { npm } from './npm.ts';
import { pypi } from './pypi.ts';

export const ecosystems: Ecosystem[] = [npm, pypi, go, crates];

/** The ecosystems that sandboxes are offered. */
export const offeredNames = ecosystems.filter(({ offered }) => offered).map(({ name }) => name);

export function findEcosystem(name: string): Ecosystem | undefined {
  return ecosystems.find((ecosystem) => ecosystem.name === name);
}
