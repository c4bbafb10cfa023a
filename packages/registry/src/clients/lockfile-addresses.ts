/**
 * Lockfiles of npm and Yarn 1 contain full addresses. npm replaces their host with that of the registry. Yarn 1 uses the
 * host as it is, and bun takes an empty address for one of the public registry, whatever its settings say. So these two
 * are pointed to loopback while an install window is open. Afterwards no lockfile may contain a loopback address. A marker in each address says what it was before, so nothing needs to be remembered.
 */
import { addBunAddresses, dropBunAddresses } from './bun-addresses.ts';
import { changeLockfiles, type LockfilePlace, maxLockfileBytes } from './change-lockfiles.ts';
import { replaceAddresses } from './replace-addresses.ts';

const headBytes = 10_000;
const isClassic = /^# yarn lockfile v1$/m;

export interface LockfileAddresses {
  pointToLoopback(): Promise<void>;
  /** Restores each address. A new one becomes what the package manager would write outside of a sandbox. */
  restore(): Promise<void>;
}

export interface LockfileOptions extends LockfilePlace {
  /** `http://127.0.0.1:5000/` */
  base: string;
  /** The registry that the operator allows. */
  registry: string;
}

const publicAddresses = { yarn: 'https://registry.yarnpkg.com/', npm: 'https://registry.npmjs.org/' };

export function createLockfileAddresses({ base, registry, ...place }: LockfileOptions): LockfileAddresses {
  const known = [...new Set([...Object.values(publicAddresses), registry])];
  const marked = known.map((address, at): [string, string] => [address, `${base}~${at}/`]);
  // Longest first, because one address may be a prefix of another.
  const toLoopback = new Map(marked.toSorted(([a], [b]) => b.length - a.length));
  const fromMarked = marked.map(([address, marker]): [string, string] => [marker, address]);
  return {
    async pointToLoopback() {
      await changeLockfiles(place, '**/yarn.lock', async (bytes) => {
        return isClassic.test(bytes.toString('latin1', 0, headBytes))
          ? replaceAddresses(bytes, toLoopback, maxLockfileBytes)
          : bytes;
      });
      await changeLockfiles(place, '**/bun.lock', async (bytes) => addBunAddresses(bytes, base));
    },
    async restore() {
      await changeLockfiles(place, '**/bun.lock', async (bytes) => dropBunAddresses(bytes, base));
      const lockfiles = '**/{yarn.lock,package-lock.json,npm-shrinkwrap.json}';
      await changeLockfiles(place, lockfiles, (bytes, path) => {
        const usual = path.endsWith('yarn.lock') ? publicAddresses.yarn : publicAddresses.npm;
        return replaceAddresses(bytes, new Map([...fromMarked, [base, usual]]), maxLockfileBytes);
      });
    },
  };
}

/** The path without the marker. No package name looks like a marker. */
export function withoutMarker(path: string): string {
  return path.replace(/^\/~\d\//, '/');
}
