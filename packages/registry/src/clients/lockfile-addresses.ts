// Lockfiles of npm and of Yarn 1 hold whole addresses. npm replaces their host by the registry's; Yarn 1 asks the host
// that is written there, so that its lockfile is pointed to loopback while a window is open. Afterwards no lockfile
// may name the loopback.
import type { Sandbox } from '@fettle/sandbox';
import { readText } from './find-client.ts';

const LOCKFILE_BYTES = 32_000_000;
const MAX_LOCKFILES = 50;
const MAX_FOUND = 2000;
const isClassic = /^# yarn lockfile v1$/m;

export interface LockfileAddresses {
  /** Each address as it was; for a new one, what its package manager would have written outside. */
  restore(): Promise<void>;
}

export interface LockfileOptions {
  /** `http://127.0.0.1:5000/` */
  base: string;
  /** The registry that the owner allows. */
  registry: string;
}

const publicAddresses = { yarn: 'https://registry.yarnpkg.com/', npm: 'https://registry.npmjs.org/' };

export async function pointLockfilesToLoopback(
  sandbox: Sandbox,
  { base, registry }: LockfileOptions,
): Promise<LockfileAddresses> {
  const known = [...new Set([...Object.values(publicAddresses), registry])];
  /** What each address was before, by what it is now. */
  const original = new Map<string, string>();
  await changeFiles(sandbox, '**/yarn.lock', (text) => {
    if (!isClassic.test(text)) return text;
    return known.reduce((result, address) => {
      const pattern = new RegExp(`${quote(address)}([^"\\s]+)`, 'g');
      return result.replace(pattern, (whole: string, rest: string) => {
        original.set(`${base}${rest}`, whole);
        return `${base}${rest}`;
      });
    }, text);
  });
  return {
    async restore() {
      const pattern = new RegExp(`${quote(base)}([^"\\s]+)`, 'g');
      await changeFiles(sandbox, '**/{yarn.lock,package-lock.json,npm-shrinkwrap.json}', (text, path) => {
        const usual = path.endsWith('yarn.lock') ? publicAddresses.yarn : publicAddresses.npm;
        return text.replace(pattern, (whole, rest: string) => original.get(whole) ?? `${usual}${rest}`);
      });
    },
  };
}

async function changeFiles(
  sandbox: Sandbox,
  glob: string,
  change: (text: string, path: string) => string,
): Promise<void> {
  const { paths } = await sandbox.findFiles(glob, { maxResults: MAX_FOUND });
  const own = paths.filter((path) => !path.split('/').includes('node_modules'));
  for (const path of own.slice(0, MAX_LOCKFILES)) {
    const text = await readText(sandbox, path, LOCKFILE_BYTES);
    const changed = text === undefined ? undefined : change(text, path);
    if (changed !== undefined && changed !== text) await sandbox.writeFile(path, Buffer.from(changed));
  }
}

function quote(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
