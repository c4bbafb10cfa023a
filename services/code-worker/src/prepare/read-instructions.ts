import { posix } from 'node:path';
import { type Instruction, instructionFiles } from '@fettle/agent';
import { type FoundBlob, GitError, readBlobAt, readBlobsAt } from '@fettle/git';

/** For all files together. The prompt contains far less. */
const maxBytes = 2_000_000;

/** Reads the files with instructions for agents, such as AGENTS.md. A symbolic link is followed once, inside the commit. */
export async function readInstructions(mirror: string, commit: string): Promise<Instruction[]> {
  const own = await readBlobs(mirror, commit, [...instructionFiles]);
  if (own === 'too_large') return readOneByOne(mirror, commit);
  const links = [...own].filter(([, { kind }]) => kind === 'link');
  const targets = links.map(([path, { bytes }]) => targetInside(path, bytes));
  const linked = targets.length === 0 ? own : await readBlobs(mirror, commit, targets);
  return instructionFiles.flatMap((path): Instruction[] => {
    const blob = own.get(path);
    if (blob === undefined) return [];
    if (blob.kind === 'blob') return [{ path, text: blob.bytes.toString('utf8') }];
    if (linked === 'too_large') return [{ path, text: undefined }];
    const target = linked.get(targetInside(path, blob.bytes));
    // A link to a link leads nowhere, and so does one that leaves the tree.
    return target?.kind !== 'blob' ? [] : [{ path, text: target.bytes.toString('utf8') }];
  });
}

/** A file that is too large must not hide the others. */
async function readOneByOne(mirror: string, commit: string): Promise<Instruction[]> {
  const read = async (path: string): Promise<Instruction[]> => {
    const blob = await readBlobAt(mirror, commit, path, { maxBytes });
    if (blob.kind === 'too_large') return [{ path, text: undefined }];
    return blob.kind === 'blob' ? [{ path, text: blob.bytes.toString('utf8') }] : [];
  };
  return (await Promise.all(instructionFiles.map(read))).flat();
}

async function readBlobs(
  mirror: string,
  commit: string,
  paths: string[],
): Promise<Map<string, FoundBlob> | 'too_large'> {
  return readBlobsAt(mirror, commit, paths, { maxBytes }).catch((error: unknown) => {
    if (error instanceof GitError && error.code === 'too_large') return 'too_large' as const;
    throw error;
  });
}

/** The result may start with `/` or `..`: no tree contains such a path, so it is not found. */
function targetInside(path: string, link: Buffer): string {
  const target = link.toString('utf8');
  return posix.isAbsolute(target) ? target : posix.join(posix.dirname(path), target);
}
