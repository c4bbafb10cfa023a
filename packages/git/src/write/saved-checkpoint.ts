/**
 * A checkpoint as bytes, for a store that outlives the machine. Written again on the same parent, it results in the same
 * commit, so a reader needs no trust in the store: it compares the commit.
 *
 * Format: gzip of a header length (4 bytes, big endian), the header as JSON, and the contents of the files one after
 * another, in the order of the header.
 */
import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';
import { z } from 'zod';
import { GitError } from '../process/git-error.ts';
import type { CheckpointWrite } from './checkpoints.ts';
import type { TreeChange } from './fast-import-stream.ts';

export type { TreeChange } from './fast-import-stream.ts';

export interface SavedCheckpoint extends CheckpointWrite {
  parent: string;
}

const compress = promisify(gzip);
const decompress = promisify(gunzip);
/** Larger than the changes that a worker collects at once. */
const maxBytes = 100_000_000;
const maxChanges = 10_000;

const objectId = z.string().regex(/^[0-9a-f]{40}$/);
const path = z.string().min(1).max(4_096);
const length = z.int().min(0).max(maxBytes);
const headerSchema = z.strictObject({
  parent: objectId,
  message: z.string().max(1_000),
  dateSeconds: z.int().min(0),
  changes: z
    .array(
      z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('deleted'), path }),
        z.strictObject({ kind: z.literal('symlink'), path, bytes: length }),
        z.strictObject({ kind: z.literal('file'), path, executable: z.boolean(), bytes: length }),
      ]),
    )
    .max(maxChanges),
});

export async function encodeCheckpoint({
  parent,
  message,
  dateSeconds,
  changes,
}: SavedCheckpoint): Promise<Buffer> {
  const header = Buffer.from(
    JSON.stringify({ parent, message, dateSeconds, changes: changes.map(toHeader) }),
  );
  const length = Buffer.alloc(4);
  length.writeUInt32BE(header.length);
  const contents = changes.flatMap((change) => (change.kind === 'deleted' ? [] : [change.bytes]));
  return compress(Buffer.concat([length, header, ...contents]), { level: constants.Z_BEST_SPEED });
}

/** Callers may pass more fields than a change has. */
function toHeader(change: TreeChange): z.input<typeof headerSchema>['changes'][number] {
  const { kind, path } = change;
  if (kind === 'deleted') return { kind, path };
  const bytes = change.bytes.length;
  return kind === 'symlink' ? { kind, path, bytes } : { kind, path, executable: change.executable, bytes };
}

/** Throws a `GitError` if the bytes are not a checkpoint. The paths are checked when it is written. */
export async function decodeCheckpoint(stored: Uint8Array): Promise<SavedCheckpoint> {
  try {
    const bytes = await decompress(stored, { maxOutputLength: maxBytes });
    const headerEnd = 4 + bytes.readUInt32BE(0);
    if (headerEnd > bytes.length) throw new Error('the header is cut off');
    const { changes, ...rest } = headerSchema.parse(JSON.parse(bytes.toString('utf8', 4, headerEnd)));
    let at = headerEnd;
    const take = (length: number) => {
      at += length;
      if (at > bytes.length) throw new Error('a file is cut off');
      return bytes.subarray(at - length, at);
    };
    return {
      ...rest,
      changes: changes.map((change) =>
        change.kind === 'deleted' ? change : { ...change, bytes: take(change.bytes) },
      ),
    };
  } catch (error) {
    throw new GitError('failed', `A stored checkpoint cannot be read: ${(error as Error).message}`);
  }
}
