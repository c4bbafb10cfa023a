/** The current folder of a plan, and how paths resolve from it. */
import { lstatSync } from 'node:fs';
import { posix } from 'node:path';
import { SandboxError } from '../../protocol/sandbox-error.ts';
import { show } from '../../protocol/workspace-path.ts';
import { resolveForReading } from '../files/resolve-path.ts';

export interface PlanFolder {
  workspace: string;
  /** Its path in the workspace; empty for the workspace itself. */
  path: string;
}

/**
 * Resolves a path by its text alone, as the policy does: `..` removes the name before it, even if that is a link.
 */
export function fromFolder({ workspace, path }: PlanFolder, given: string): string {
  const absolute = posix.resolve(workspace, path, given);
  if (absolute === workspace) return '';
  if (absolute.startsWith(`${workspace}/`)) return absolute.slice(workspace.length + 1);
  throw new SandboxError('outside', `${show(given)} leads out of the workspace`);
}

/** The real path of the folder. */
export function resolveFolder({ workspace, path }: PlanFolder): string {
  const realPath = resolveForReading(workspace, path, { last: 'follow' });
  const found = lstatSync(realPath, { throwIfNoEntry: false });
  if (found === undefined) throw new SandboxError('not_found', `the folder ${show(path)} does not exist`);
  if (!found.isDirectory()) throw new SandboxError('not_directory', `${show(path)} is not a directory`);
  return realPath;
}

/** `cd` with at most one operand. Without one, it changes to the workspace itself. */
export function changeFolder(folder: PlanFolder, operands: string[]): PlanFolder {
  const [target, ...others] = operands[0] === '--' ? operands.slice(1) : operands;
  if (others.length > 0) throw new SandboxError('bad_request', 'too many arguments');
  const next = { ...folder, path: target === undefined ? '' : fromFolder(folder, target) };
  resolveFolder(next);
  return next;
}
