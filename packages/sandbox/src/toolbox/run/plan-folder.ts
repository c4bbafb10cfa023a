/** The current folder of a plan, and how paths resolve from it. */
import { lstatSync } from 'node:fs';
import { posix } from 'node:path';
import { SandboxError } from '../../protocol/sandbox-error.ts';
import { show } from '../../protocol/workspace-path.ts';
import { resolveForReading } from '../files/resolve-path.ts';

export interface PlanFolder {
  workspace: string;
  /** The toolbox's private folder. */
  root: string;
  /** Commands write `/tmp` for it. Nothing in it becomes part of a change. */
  scratch: string;
  /** The path of the folder in its base; empty for the base itself. */
  path: string;
  /** Whether the base is the scratch folder, and not the workspace. */
  isScratch: boolean;
}

/** A path in the workspace or in the scratch folder. */
export interface Place {
  base: string;
  path: string;
}

/** How the policy and the agent write the two bases. */
const WORKSPACE = '/sandbox/workspace';
const SCRATCH = '/tmp';

/**
 * Resolves a path by its text alone, as the policy does: `..` removes the name before it, even if that is a link.
 */
export function locate({ workspace, scratch, path, isScratch }: PlanFolder, given: string): Place {
  const absolute = posix.resolve(
    isScratch ? scratch : workspace,
    path,
    toRealPath(given, { workspace, scratch }),
  );
  for (const base of [workspace, scratch]) {
    if (absolute === base) return { base, path: '' };
    if (absolute.startsWith(`${base}/`)) return { base, path: absolute.slice(base.length + 1) };
  }
  throw new SandboxError('outside', `${show(given)} leads out of the workspace`);
}

function toRealPath(
  given: string,
  { workspace, scratch }: Pick<PlanFolder, 'workspace' | 'scratch'>,
): string {
  if (isWithin(given, workspace) || isWithin(given, scratch)) return given;
  if (isWithin(given, WORKSPACE)) return workspace + given.slice(WORKSPACE.length);
  return isWithin(given, SCRATCH) ? scratch + given.slice(SCRATCH.length) : given;
}

function isWithin(path: string, base: string): boolean {
  return path === base || path.startsWith(`${base}/`);
}

/** The real path of the folder. */
export function resolveFolder({ workspace, scratch, path, isScratch }: PlanFolder): string {
  const realPath = resolveForReading(isScratch ? scratch : workspace, path, { last: 'follow' });
  const found = lstatSync(realPath, { throwIfNoEntry: false });
  if (found === undefined) throw new SandboxError('not_found', `the folder ${show(path)} does not exist`);
  if (!found.isDirectory()) throw new SandboxError('not_directory', `${show(path)} is not a directory`);
  return realPath;
}

/** The interpreter of a virtual environment is a link to the one of the machine. */
const VIRTUAL_PYTHON = /(^|\/)\.?venv\/bin\/python3?$/;

/** A program that is named by a path of the workspace must be there, and not a link to a program of the machine. */
export function checkProgramFile(name: string, folder: PlanFolder): void {
  if (!name.includes('/') || name.startsWith('/') || VIRTUAL_PYTHON.test(name)) return;
  const { base, path } = locate(folder, name);
  resolveForReading(base, path, { last: 'follow' });
}

/** `cd` with at most one operand. Without one, it changes to the workspace itself. */
export function changeFolder(folder: PlanFolder, operands: string[]): PlanFolder {
  const [target, ...others] = operands[0] === '--' ? operands.slice(1) : operands;
  if (others.length > 0) throw new SandboxError('bad_request', 'too many arguments');
  const { base, path } = target === undefined ? { base: folder.workspace, path: '' } : locate(folder, target);
  const next = { ...folder, path, isScratch: base === folder.scratch };
  resolveFolder(next);
  return next;
}
