import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync, type Stats, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Requests } from '../../protocol/requests.ts';
import { SandboxError } from '../../protocol/sandbox-error.ts';
import { show } from '../../protocol/workspace-path.ts';
import { isMissing } from '../describe-failure.ts';
import type { Call } from '../serve.ts';
import type { Toolbox } from '../toolbox.ts';
import { resolveForWriting } from './resolve-path.ts';

export async function writeFile(
  { workspace }: Toolbox,
  { path, executable }: Requests['writeFile']['params'],
  { input }: Call,
): Promise<object> {
  // Check before the bytes are received, and again afterwards, because the target may have changed.
  checkTarget(workspace, path);
  const pieces: Buffer[] = [];
  for await (const piece of input) pieces.push(piece);
  const { realPath, existing } = checkTarget(workspace, path);
  mkdirSync(dirname(realPath), { recursive: true });
  replaceFile(realPath, Buffer.concat(pieces), chooseMode(existing, executable));
  return {};
}

/** The target must be a regular file or not exist. */
export function checkTarget(
  workspace: string,
  path: string,
): { realPath: string; existing: Stats | undefined } {
  const realPath = resolveForWriting(workspace, path);
  const existing = statIfThere(realPath);
  if (existing?.isSymbolicLink()) throw new SandboxError('denied', `${show(path)} is a symbolic link`);
  if (existing?.isDirectory()) throw new SandboxError('is_directory', `${show(path)} is a directory`);
  if (existing !== undefined && !existing.isFile()) {
    throw new SandboxError('not_regular', `${show(path)} is not a regular file`);
  }
  return { realPath, existing };
}

/** Synchronous, so that no walk of this process ever sees the temporary file. */
function replaceFile(realPath: string, bytes: Buffer, mode: number): void {
  const temporary = join(dirname(realPath), `.fettle-${randomBytes(6).toString('hex')}.tmp`);
  try {
    writeFileSync(temporary, bytes, { flag: 'wx', mode });
    // The umask restricts the mode at creation.
    chmodSync(temporary, mode);
    renameSync(temporary, realPath);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function chooseMode(existing: Stats | undefined, executable: boolean | undefined): number {
  const mode = existing === undefined ? 0o644 : existing.mode & 0o777;
  if (executable === undefined) return mode;
  return executable ? mode | 0o111 : mode & ~0o111;
}

function statIfThere(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
