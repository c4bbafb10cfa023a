/**
 * Resolves a workspace path, component by component, so that no symbolic link leads out of the workspace. A running command
 * can replace a component meanwhile, but that stays inside the sandbox: this check helps the agent, and the sandbox is the
 * security boundary.
 */
import { lstatSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { SandboxError } from '../../protocol/sandbox-error.ts';
import { normalizePath, show, touchesGitFolder } from '../../protocol/workspace-path.ts';
import { isMissing } from '../describe-failure.ts';

const maxLinks = 40;

export interface ResolveOptions {
  /** Whether to follow a symbolic link in the last component. */
  last: 'follow' | 'keep';
}

/** For reading: follows links that stay inside the workspace. The file need not exist. */
export function resolveForReading(workspace: string, path: string, { last }: ResolveOptions): string {
  const normal = normalizePath(path);
  const pending = normal === '' ? [] : normal.split('/');
  let resolved: string[] = [];
  let links = 0;
  for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
    if (name === '' || name === '.') continue;
    if (name === '..') {
      if (resolved.pop() === undefined) throw leavesWorkspace(path);
      continue;
    }
    const target = readLink(join(workspace, ...resolved, name));
    if (target === undefined || (last === 'keep' && pending.length === 0)) {
      resolved.push(name);
      continue;
    }
    links += 1;
    if (links > maxLinks) throw new SandboxError('denied', `${show(path)} is a loop of symbolic links`);
    if (target.startsWith('/')) {
      if (!target.startsWith(`${workspace}/`)) throw leavesWorkspace(path);
      resolved = [];
      pending.unshift(...target.slice(workspace.length).split('/'));
    } else {
      pending.unshift(...target.split('/'));
    }
  }
  return join(workspace, ...resolved);
}

/** For writing: allows no link in the path, and nothing that is or resembles git's own folder. */
export function resolveForWriting(workspace: string, path: string): string {
  const normal = normalizePath(path);
  if (normal === '') throw new SandboxError('is_directory', 'the workspace itself is a directory');
  if (touchesGitFolder(normal)) throw new SandboxError('denied', `${show(path)} is in git's own folder`);
  const names = normal.split('/');
  for (let depth = 1; depth < names.length; depth += 1) {
    const folder = names.slice(0, depth).join('/');
    if (readLink(join(workspace, folder)) !== undefined) {
      throw new SandboxError('denied', `${show(path)}: ${show(folder)} is a symbolic link`);
    }
  }
  return join(workspace, normal);
}

function readLink(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function leavesWorkspace(path: string): SandboxError {
  return new SandboxError('outside', `${show(path)} leads out of the workspace through a symbolic link`);
}
