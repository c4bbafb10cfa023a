import { runGit } from '../process/git-process.ts';
import { assertObjectId } from '../process/names.ts';
import { readObjects } from './object-batch.ts';

export interface PushedBlob {
  oid: string;
  /** One of the paths of the blob. */
  path: string;
  bytes: Buffer;
}

export interface PushedCommit {
  oid: string;
  /** The whole object: author, committer, message and trailers. */
  text: string;
}

export interface PushRange {
  mirror: string;
  /** The target has this commit already. */
  base: string;
  head: string;
}

interface Named {
  oid: string;
  path: string;
}

const batchBlobs = 20;
const batchBytes = 200_000_000;
const listBytes = 512 * 1024 * 1024;

/** The commits and blobs that a push of `head` sends to a target that has `base`. Blobs are read in batches. */
export async function listPushed({ mirror, base, head }: PushRange): Promise<{
  commits: PushedCommit[];
  /** The path of every file that a commit adds or changes. A blob has only one path, which may be an old one. */
  names: string[];
  blobs: AsyncGenerator<PushedBlob[]>;
}> {
  assertObjectId(base);
  assertObjectId(head);
  const run = (...args: string[]) =>
    runGit({ gitDir: mirror, args: [...args, head, `^${base}`], maxBytes: listBytes });
  const list = async (...args: string[]) =>
    (await run('rev-list', ...args)).stdout.toString().split('\n').slice(0, -1);
  const [oids, objects, touched] = await Promise.all([
    list(),
    list('--objects', '--in-commit-order'),
    run('log', '-z', '--format=', '-m', '--name-only', '--no-renames', '--diff-filter=d'),
  ]);
  const names = new Set(touched.stdout.toString().split('\0').filter(Boolean));
  const commits = await readObjects(mirror, oids, batchBytes);
  const isCommit = new Set(oids);
  const named = objects.map(parseName).filter(({ oid }) => !isCommit.has(oid));
  return {
    commits: commits.map((commit, at) => ({ oid: oids[at] ?? '', text: commit?.bytes.toString() ?? '' })),
    names: [...names],
    blobs: readBlobs(mirror, named),
  };
}

/** `oid SP path`, for trees and blobs alike. */
function parseName(line: string): Named {
  return { oid: line.slice(0, 40), path: line.slice(41) };
}

async function* readBlobs(mirror: string, named: Named[]): AsyncGenerator<PushedBlob[]> {
  for (let at = 0; at < named.length; at += batchBlobs) {
    const batch = named.slice(at, at + batchBlobs);
    const objects = await readObjects(
      mirror,
      batch.map(({ oid }) => oid),
      batchBytes,
    );
    yield batch.flatMap(({ oid, path }, index) => {
      const object = objects[index];
      // A missing object cannot be pushed.
      return object?.type === 'blob' ? [{ oid, path, bytes: object.bytes }] : [];
    });
  }
}
