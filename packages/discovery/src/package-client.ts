/** Chooses the package manager of a folder with a package.json. */
import { z } from 'zod';

export type PackageManager = 'npm' | 'pnpm' | 'yarn-classic' | 'yarn' | 'bun';

export interface UsedManager {
  manager: PackageManager;
  /** The exact version that the repository requires. */
  version: string | undefined;
  lockfile: string | undefined;
}

export interface PackageFolder {
  manifest: string;
  has(name: string): boolean | Promise<boolean>;
  /** The start of a file, which shows the format of a lockfile. */
  readHead(name: string): Promise<string | undefined>;
}

type ManagerName = 'npm' | 'pnpm' | 'yarn' | 'bun';

export const managersByLockfile: [string, ManagerName][] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
];

/** By the lockfile. If there are several or none, by the field `packageManager`. */
export async function choosePackageManager(folder: PackageFolder): Promise<UsedManager> {
  const present = await Promise.all(managersByLockfile.map(([file]) => folder.has(file)));
  const locked = managersByLockfile.filter((_, at) => present[at]);
  const named = readPackageManagerField(folder.manifest);
  const lockOf = (name: ManagerName | undefined) => locked.find(([, manager]) => manager === name);
  const name = lockOf(named?.name)?.[1] ?? locked[0]?.[1] ?? named?.name ?? 'npm';
  const manager = name === 'yarn' ? await findYarn(folder, named?.major) : name;
  return { manager, version: versionFor(manager, named), lockfile: lockOf(name)?.[0] };
}

/** Yarn 1 and later versions are different programs with different lockfiles. */
async function findYarn(
  { has, readHead }: PackageFolder,
  major: number | undefined,
): Promise<'yarn-classic' | 'yarn'> {
  const head = await readHead('yarn.lock');
  if (head !== undefined && head.trim() !== '') {
    return /^__metadata:/m.test(head) ? 'yarn' : 'yarn-classic';
  }
  if (major !== undefined) return major > 1 ? 'yarn' : 'yarn-classic';
  return (await has('.yarnrc.yml')) ? 'yarn' : 'yarn-classic';
}

const manifestSchema = z.object({ packageManager: z.string().max(300).optional() });

interface NamedManager {
  name: ManagerName;
  major: number;
  version: string | undefined;
}

/** Ignores the version in the manifest if it does not match the lockfile, for example Yarn 4 with a lockfile of Yarn 1. */
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
    /^(npm|pnpm|yarn|bun)@((\d+)[\w.-]*)/.exec((parsed.success && parsed.data.packageManager) || '') ?? [];
  if (name === undefined) return undefined;
  const isExact = /^\d+\.\d+\.\d+(-[\w.-]+)?$/.test(version);
  return { name: name as ManagerName, major: Number(major), version: isExact ? version : undefined };
}
