import type { Sandbox } from '@fettle/sandbox';
import { SandboxError } from '@fettle/sandbox';
import { z } from 'zod';

export type PackageManager = 'npm' | 'pnpm' | 'yarn-classic' | 'yarn';

export type FoundManager =
  | { ok: true; manager: PackageManager; hasLockfile: boolean }
  | { ok: false; reason: string };

const MANIFEST_BYTES = 1_000_000;
const LOCKFILE_BYTES = 32_000_000;

const managersByLockfile: [string, 'npm' | 'pnpm' | 'yarn'][] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
];

/** By the lockfile; where there are several, or none, by the field `packageManager`. */
export async function findPackageManager(sandbox: Sandbox, folder: string): Promise<FoundManager> {
  const manifest = await readText(sandbox, pathIn(folder, 'package.json'), MANIFEST_BYTES);
  if (manifest === undefined)
    return { ok: false, reason: `there is no package.json in ${folder || 'the root'}` };
  const present = await Promise.all(
    managersByLockfile.map(([file]) => isThere(sandbox, pathIn(folder, file))),
  );
  const locked = managersByLockfile.filter((_, at) => present[at]).map(([, manager]) => manager);
  const named = readPackageManagerField(manifest);
  const isLocked = named === undefined ? locked.length > 0 : locked.includes(named.name);
  const name = isLocked && named !== undefined ? named.name : (locked[0] ?? named?.name ?? 'npm');
  const hasLockfile = locked.includes(name);
  if (name !== 'yarn') return { ok: true, manager: name, hasLockfile };
  return { ok: true, manager: await findYarn(sandbox, folder, named?.major), hasLockfile };
}

/** Yarn 1 and later ones share a name and little else; their lockfiles tell them apart. */
async function findYarn(
  sandbox: Sandbox,
  folder: string,
  major: number | undefined,
): Promise<'yarn-classic' | 'yarn'> {
  const lockfile = await readText(sandbox, pathIn(folder, 'yarn.lock'), LOCKFILE_BYTES);
  if (lockfile !== undefined && lockfile.trim() !== '') {
    return /^__metadata:/m.test(lockfile) ? 'yarn' : 'yarn-classic';
  }
  if (major !== undefined) return major > 1 ? 'yarn' : 'yarn-classic';
  return (await isThere(sandbox, pathIn(folder, '.yarnrc.yml'))) ? 'yarn' : 'yarn-classic';
}

const manifestSchema = z.object({ packageManager: z.string().max(300).optional() });

function readPackageManagerField(
  manifest: string,
): { name: 'npm' | 'pnpm' | 'yarn'; major: number } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(manifest);
  } catch {
    return undefined;
  }
  const parsed = manifestSchema.safeParse(value);
  const [, name, major] =
    /^(npm|pnpm|yarn)@(\d+)/.exec((parsed.success && parsed.data.packageManager) || '') ?? [];
  return name === undefined ? undefined : { name: name as 'npm' | 'pnpm' | 'yarn', major: Number(major) };
}

export function pathIn(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

async function isThere(sandbox: Sandbox, path: string): Promise<boolean> {
  return orMissing(sandbox.statFile(path)).then((found) => found?.kind === 'file');
}

/** Undefined for a file that is not there, or is none, or is too large to be what it says. */
export async function readText(
  sandbox: Sandbox,
  path: string,
  maxBytes: number,
): Promise<string | undefined> {
  const file = await orMissing(sandbox.readFile(path, { maxBytes }));
  return file?.bytes.toString('utf8');
}

async function orMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: unknown) => {
    if (error instanceof SandboxError && !error.endsSandbox) return undefined;
    throw error;
  });
}
