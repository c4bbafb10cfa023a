/** A copy of a commit in which some files have other contents. It exists only in a temporary object folder. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GitError } from '../process/git-error.ts';
import { runGit } from '../process/git-process.ts';
import type { CommittedFile } from './list-files.ts';

export interface Replacement extends Pick<CommittedFile, 'rawPath' | 'executable'> {
  bytes: Buffer;
}

export interface ReplacedCommit {
  commit: string;
  /** The environment in which git finds the new objects. */
  env: Record<string, string>;
}

interface ReplaceOptions {
  mirror: string;
  commit: string;
  /** An empty folder, which the caller removes. */
  folder: string;
  signal?: AbortSignal | undefined;
}

export async function replaceFiles(
  { mirror, commit, folder, signal }: ReplaceOptions,
  replacements: readonly Replacement[],
): Promise<ReplacedCommit> {
  const objects = join(folder, 'objects');
  await mkdir(objects);
  const env = {
    GIT_OBJECT_DIRECTORY: objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(join(mirror, 'objects')),
    GIT_INDEX_FILE: join(folder, 'index'),
  };
  const git = async (args: string[], input?: string | Buffer) =>
    (await runGit({ gitDir: mirror, args, input, env, settings: ['core.fsync=none'], signal })).stdout;
  const paths = replacements.map((_, at) => join(folder, `blob-${at}`));
  await Promise.all(replacements.map(({ bytes }, at) => writeFile(paths[at] ?? '', bytes)));
  const names = await git(['hash-object', '-w', '--no-filters', '--stdin-paths'], `${paths.join('\n')}\n`);
  const blobs = names.toString('latin1').split('\n');
  await git(['read-tree', commit]);
  const entries = replacements.map(
    ({ rawPath, executable }, at) => `${executable ? '100755' : '100644'} ${blobs[at]}\t${rawPath}\0`,
  );
  await git(['update-index', '-z', '--index-info'], Buffer.from(entries.join(''), 'latin1'));
  const tree = (await git(['write-tree'])).toString('latin1').trim();
  const original = (await git(['cat-file', 'commit', commit])).toString('latin1');
  const copy = withTree(original, tree);
  const oid = await git(
    ['hash-object', '-t', 'commit', '-w', '--literally', '--stdin'],
    Buffer.from(copy, 'latin1'),
  );
  return { commit: oid.toString('latin1').trim(), env };
}

/** The same commit with another tree. Its signature is removed, because it would not match. */
function withTree(commit: string, tree: string): string {
  const end = commit.indexOf('\n\n');
  if (!/^tree [0-9a-f]{40}\n/.test(commit) || end === -1)
    throw new GitError('failed', 'git cat-file printed an unknown format.');
  const header = commit
    .slice(0, end)
    .replace(/^tree .*/, `tree ${tree}`)
    .replace(/\ngpgsig(-sha256)? .*(\n .*)*/g, '');
  return header + commit.slice(end);
}
