import { lstatSync, unlinkSync } from 'node:fs';
import type { Requests } from '../../protocol/requests.ts';
import { SandboxError } from '../../protocol/sandbox-error.ts';
import { show } from '../../protocol/workspace-path.ts';
import type { Toolbox } from '../toolbox.ts';
import { resolveForWriting } from './resolve-path.ts';

/** For a symbolic link, deletes the link and not its target. */
export async function deleteFile(
  { workspace }: Toolbox,
  { path }: Requests['deleteFile']['params'],
): Promise<object> {
  const realPath = resolveForWriting(workspace, path);
  if (lstatSync(realPath).isDirectory()) {
    throw new SandboxError('is_directory', `${show(path)} is a directory`);
  }
  unlinkSync(realPath);
  return {};
}
