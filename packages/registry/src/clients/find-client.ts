import type { Sandbox } from '@fettle/sandbox';
import { SandboxError } from '@fettle/sandbox';
import { z } from 'zod';

export type PackageManager = 'npm' | 'pnpm' | 'yarn-classic' | 'yarn';

export interface UsedManager {
  manager: PackageManager;
  /** The very one that the repository names. */
  version: string | undefined;
  hasLockfile: boolean;
}

export type FoundManager = ({ ok: true } & UsedManager) | { ok: false; reason: string };

const MANIFEST_BYTES = 1_000_000;
const LOCKFILE_HEAD_BYTES = 10_000;

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
  const manager = name === 'yarn' ? await findYarn(sandbox, folder, named?.major) : name;
  return { ok: true, manager, version: versionFor(manager, named), hasLockfile };
}

/** Yarn 1 and later ones share a name and little else; their lockfiles tell them apart. */
async function findYarn(
  sandbox: Sandbox,
  folder: string,
  major: number | undefined,
): Promise<'yarn-classic' | 'yarn'> {
  const head = await readHead(sandbox, pathIn(folder, 'yarn.lock'));
  if (head !== undefined && head.trim() !== '') {
    return /^__metadata:/m.test(head) ? 'yarn' : 'yarn-classic';
  }
  if (major !== undefined) return major > 1 ? 'yarn' : 'yarn-classic';
  return (await isThere(sandbox, pathIn(folder, '.yarnrc.yml'))) ? 'yarn' : 'yarn-classic';
}

const manifestSchema = z.object({ packageManager: z.string().max(300).optional() });

interface NamedManager {
  name: 'npm' | 'pnpm' | 'yarn';
  major: number;
  version: string | undefined;
}

/** A lockfile of Yarn 1 is not for the Yarn 4 that a manifest names, nor the other way round. */
function versionFor(manager: PackageManager, named: NamedManager | undefined): string | undefined {
  const fits =
    named?.name === 'yarn'
      ? manager === (named.major > 1 ? 'yarn' : 'yarn-classic')
      : named?.name === manager;
  return fits ? named?.version : undefined;
}

function readPackageManagerField(manifest: string): NamedManager | undefined {
  let value: unknown;
  try {
    value = JSON.parse(manifest);
  } catch {
    return undefined;
  }
  const parsed = manifestSchema.safeParse(value);
  const [, name, version = '', major] =
    /^(npm|pnpm|yarn)@((\d+)[\w.-]*)/.exec((parsed.success && parsed.data.packageManager) || '') ?? [];
  if (name === undefined) return undefined;
  const isExact = /^\d+\.\d+\.\d+(-[\w.-]+)?$/.test(version);
  return {
    name: name as NamedManager['name'],
    major: Number(major),
    version: isExact ? version : undefined,
  };
}

export function pathIn(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

async function isThere(sandbox: Sandbox, path: string): Promise<boolean> {
  return orMissing(sandbox.statFile(path)).then((found) => found?.kind === 'file');
}

/** Undefined for a file that is not there, or is none, or is too large to be what it says. */
async function readText(sandbox: Sandbox, path: string, maxBytes: number): Promise<string | undefined> {
  const file = await orMissing(sandbox.readFile(path, { maxBytes }));
  return file?.bytes.toString('utf8');
}

/** What tells lockfiles apart is at their head, and the rest may be large. */
async function readHead(sandbox: Sandbox, path: string): Promise<string | undefined> {
  const file = await orMissing(sandbox.readFile(path, { offset: 0, maxBytes: LOCKFILE_HEAD_BYTES }));
  return file?.bytes.toString('utf8');
}

async function orMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: unknown) => {
    if (error instanceof SandboxError && !error.endsSandbox) return undefined;
    throw error;
  });
}
