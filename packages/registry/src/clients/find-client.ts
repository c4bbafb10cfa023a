import {
  type PackageManager as AnyManager,
  type UsedManager as Choice,
  choosePackageManager,
} from '@fettle/discovery';
import type { Sandbox } from '@fettle/sandbox';
import { SandboxError } from '@fettle/sandbox';

export type PackageManager = AnyManager;

export interface UsedManager {
  manager: PackageManager;
  /** The version that the repository requires. */
  version: string | undefined;
  hasLockfile: boolean;
}

export type FoundManager = ({ ok: true } & UsedManager) | { ok: false; reason: string };

const maxManifestBytes = 1_000_000;
const lockfileHeadBytes = 10_000;

export async function findPackageManager(sandbox: Sandbox, folder: string): Promise<FoundManager> {
  const own = await readFolder(sandbox, folder);
  if (own === undefined) return { ok: false, reason: `there is no package.json in ${folder || 'the root'}` };
  if (own.lockfile !== undefined) return toFound(own);
  // The lockfile of a workspace is in the folder of its root.
  for (const parent of parentsOf(folder)) {
    const above = await readFolder(sandbox, parent);
    if (above?.lockfile !== undefined) return toFound(above);
  }
  return toFound(own);
}

const toFound = ({ manager, version, lockfile }: Choice): FoundManager => ({
  ok: true,
  ...{ manager, version, hasLockfile: lockfile !== undefined },
});

async function readFolder(sandbox: Sandbox, folder: string): Promise<Choice | undefined> {
  const manifest = await readText(sandbox, pathIn(folder, 'package.json'), maxManifestBytes);
  if (manifest === undefined) return undefined;
  return choosePackageManager({
    manifest,
    has: (name) => isThere(sandbox, pathIn(folder, name)),
    readHead: (name) => readHead(sandbox, pathIn(folder, name)),
  });
}

/** From the nearest one to the root. */
function parentsOf(folder: string): string[] {
  const names = folder.split('/').filter((name) => name !== '' && name !== '.');
  return names.map((_, at) => names.slice(0, names.length - 1 - at).join('/'));
}

export function pathIn(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

async function isThere(sandbox: Sandbox, path: string): Promise<boolean> {
  return orMissing(sandbox.statFile(path)).then((found) => found?.kind === 'file');
}

/** Undefined for a missing file, for a folder, and for a file that is too large. */
async function readText(sandbox: Sandbox, path: string, maxBytes: number): Promise<string | undefined> {
  const file = await orMissing(sandbox.readFile(path, { maxBytes }));
  return file?.bytes.toString('utf8');
}

/** The first lines show the format of a lockfile. The rest may be large. */
async function readHead(sandbox: Sandbox, path: string): Promise<string | undefined> {
  const file = await orMissing(sandbox.readFile(path, { offset: 0, maxBytes: lockfileHeadBytes }));
  return file?.bytes.toString('utf8');
}

async function orMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: unknown) => {
    if (error instanceof SandboxError && !error.endsSandbox) return undefined;
    throw error;
  });
}
