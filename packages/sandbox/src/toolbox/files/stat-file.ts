import { lstatSync } from 'node:fs';
import type { Requests } from '../../protocol/requests.ts';
import type { FileKind, StatFileResult } from '../../protocol/schemas.ts';
import type { Toolbox } from '../toolbox.ts';
import { resolveForReading } from './resolve-path.ts';

/** Does not follow a symbolic link. */
export async function statFile(
  { workspace }: Toolbox,
  { path }: Requests['statFile']['params'],
): Promise<StatFileResult> {
  const stat = lstatSync(resolveForReading(workspace, path, { last: 'keep' }));
  return { kind: kindOf(stat), size: stat.size, executable: stat.isFile() && (stat.mode & 0o100) !== 0 };
}

export interface TypedEntry {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

export function kindOf(entry: TypedEntry): FileKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'symlink' : 'other';
}
