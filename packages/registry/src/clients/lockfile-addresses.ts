// Lockfiles of npm and of Yarn 1 hold whole addresses. npm replaces their host by the registry's; Yarn 1 asks the host
// that is written there, so that its lockfile is pointed to loopback while a window is open. Afterwards no lockfile
// may name the loopback. What an address was before is told by a mark in it, and not remembered.
import { changeLockfiles, LOCKFILE_BYTES, type LockfilePlace } from './change-lockfiles.ts';
import { replaceAddresses } from './replace-addresses.ts';

const HEAD_BYTES = 10_000;
const isClassic = /^# yarn lockfile v1$/m;

export interface LockfileAddresses {
  pointToLoopback(): Promise<void>;
  /** Each address as it was; for a new one, what its package manager would have written outside. */
  restore(): Promise<void>;
}

export interface LockfileOptions extends LockfilePlace {
  /** `http://127.0.0.1:5000/` */
  base: string;
  /** The registry that the owner allows. */
  registry: string;
}

const publicAddresses = { yarn: 'https://registry.yarnpkg.com/', npm: 'https://registry.npmjs.org/' };

export function createLockfileAddresses({ base, registry, ...place }: LockfileOptions): LockfileAddresses {
  const known = [...new Set([...Object.values(publicAddresses), registry])];
  const marked = known.map((address, at): [string, string] => [address, `${base}~${at}/`]);
  // One may be the beginning of another.
  const toLoopback = new Map(marked.toSorted(([a], [b]) => b.length - a.length));
  const fromMarked = marked.map(([address, mark]): [string, string] => [mark, address]);
  return {
    async pointToLoopback() {
      await changeLockfiles(place, '**/yarn.lock', async (bytes) => {
        return isClassic.test(bytes.toString('latin1', 0, HEAD_BYTES))
          ? replaceAddresses(bytes, toLoopback, LOCKFILE_BYTES)
          : bytes;
      });
    },
    async restore() {
      const lockfiles = '**/{yarn.lock,package-lock.json,npm-shrinkwrap.json}';
      await changeLockfiles(place, lockfiles, (bytes, path) => {
        const usual = path.endsWith('yarn.lock') ? publicAddresses.yarn : publicAddresses.npm;
        return replaceAddresses(bytes, new Map([...fromMarked, [base, usual]]), LOCKFILE_BYTES);
      });
    },
  };
}

/** A path as the registry spells it. No package is named like a mark. */
export function withoutMark(path: string): string {
  return path.replace(/^\/~\d\//, '/');
}
