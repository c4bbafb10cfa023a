/** Opens the redirections of a command, from left to right, as a shell does. */
import { randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, ftruncateSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandPlan } from '@fettle/contract';
import { SandboxError } from '../../protocol/sandbox-error.ts';
import { show } from '../../protocol/workspace-path.ts';
import { describeFailure, isMissing } from '../describe-failure.ts';
import { openRegularFile } from '../files/open-regular-file.ts';
import { resolveForReading } from '../files/resolve-path.ts';
import { checkTarget } from '../files/write-file.ts';
import { locate, type Place, type PlanFolder } from './plan-folder.ts';

/** Standard input, output and error of a program. */
export type Stdio = [number | 'ignore', number, number];
type PlanRedirect = CommandPlan[number]['commands'][number]['redirects'][number];

/** The only path outside of the workspace. */
const devNull = '/dev/null';

/** Changes `stdio`. Adds open files to `opened`, also if it fails in the middle. */
export function openRedirects(
  redirects: PlanRedirect[],
  folder: PlanFolder,
  { stdio, opened }: { stdio: Stdio; opened: number[] },
): void {
  for (const redirect of redirects) {
    if (redirect.kind === 'duplicate') {
      stdio[redirect.from === '1' ? 1 : 2] = stdio[redirect.to === '1' ? 1 : 2];
      continue;
    }
    const fd = openRedirect(redirect, folder);
    opened.push(fd);
    if (redirect.kind !== 'write') {
      stdio[0] = fd;
    } else {
      if (redirect.fd !== '2') stdio[1] = fd;
      if (redirect.fd !== '1') stdio[2] = fd;
    }
  }
}

function openRedirect(redirect: Exclude<PlanRedirect, { kind: 'duplicate' }>, folder: PlanFolder): number {
  if (redirect.kind === 'write') return openToWrite(redirect, folder);
  return redirect.kind === 'text' ? openText(redirect.text, folder) : openToRead(redirect.path, folder);
}

/** A file without a name, as some shells use for here-documents. */
function openText(text: string, { root }: PlanFolder): number {
  const path = join(root, `text-${randomBytes(8).toString('hex')}`);
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
    return openSync(path, constants.O_RDONLY);
  } finally {
    rmSync(path, { force: true });
  }
}

function openToRead(path: string, folder: PlanFolder): number {
  if (path === devNull) return openSync(devNull, constants.O_RDONLY);
  const place = locateFile(path, folder);
  return openRegularFile(resolveForReading(place.base, place.path, { last: 'follow' }), path).fd;
}

function openToWrite({ path, append }: { path: string; append: boolean }, folder: PlanFolder): number {
  if (path === devNull) return openSync(devNull, constants.O_WRONLY);
  const place = locateFile(path, folder);
  const { realPath } = checkTarget(place.base, place.path);
  const { O_WRONLY, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_APPEND } = constants;
  // No O_TRUNC: the target may have changed since it was checked.
  const flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | (append ? O_APPEND : 0);
  const fd = openOrExplain(realPath, flags, path);
  if (!fstatSync(fd).isFile()) {
    closeSync(fd);
    throw new SandboxError('not_regular', `${show(path)} is not a regular file`);
  }
  if (!append) ftruncateSync(fd);
  return fd;
}

function openOrExplain(realPath: string, flags: number, path: string): number {
  try {
    return openSync(realPath, flags, 0o666);
  } catch (error) {
    if (isMissing(error)) throw new SandboxError('not_found', `the folder of ${show(path)} does not exist`);
    const { code, message } = describeFailure(error);
    throw new SandboxError(code, `${show(path)} cannot be written: ${message}`);
  }
}

function locateFile(path: string, folder: PlanFolder): Place {
  if (path.endsWith('/')) throw new SandboxError('is_directory', `${show(path)} is a directory`);
  return locate(folder, path);
}
