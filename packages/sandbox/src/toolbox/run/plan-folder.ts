// Where a plan is at work: a folder of the workspace, and what paths mean from there.
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
 * The path in the workspace by text alone, as the policy reads it too: `..` takes away the name before it, also where
 * that is a link.
 */
export function fromFolder({ workspace, path }: PlanFolder, given: string): string {
  const absolute = posix.resolve(workspace, path, given);
  if (absolute === workspace) return '';
  if (absolute.startsWith(`${workspace}/`)) return absolute.slice(workspace.length + 1);
  throw new SandboxError('outside', `${show(given)} leads out of the workspace`);
}

/** The real folder that a program is started in. */
export function resolveFolder({ workspace, path }: PlanFolder): string {
  const realPath = resolveForReading(workspace, path, { last: 'follow' });
  const found = lstatSync(realPath, { throwIfNoEntry: false });
  if (found === undefined) throw new SandboxError('not_found', `there is no folder ${show(path)}`);
  if (!found.isDirectory()) throw new SandboxError('not_directory', `${show(path)} is not a directory`);
  return realPath;
}

/** `cd`, which takes one operand at most: without one it goes to the workspace itself. */
export function changeFolder(folder: PlanFolder, operands: string[]): PlanFolder {
  const [target, ...others] = operands[0] === '--' ? operands.slice(1) : operands;
  if (others.length > 0) throw new SandboxError('bad_request', 'it takes one folder');
  const next = { ...folder, path: target === undefined ? '' : fromFolder(folder, target) };
  resolveFolder(next);
  return next;
}
