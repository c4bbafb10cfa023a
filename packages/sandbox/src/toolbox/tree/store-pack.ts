/** Stores a pack and its index in the clone. The host's git created both, so nothing is computed here. */
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { SandboxError } from '../../protocol/sandbox-error.ts';

export interface PackTarget {
  /** Git's own folder of the clone. */
  git: string;
  name: string;
  indexBytes: number;
}

export async function storePack(
  input: AsyncIterable<Buffer>,
  { git, name, indexBytes }: PackTarget,
): Promise<void> {
  const path = join(git, 'objects/pack', `pack-${name}`);
  const index = await open(`${path}.idx`, 'wx', 0o444);
  const pack = await open(`${path}.pack`, 'wx', 0o444);
  try {
    let missing = indexBytes;
    for await (const chunk of input) {
      const ofIndex = chunk.subarray(0, missing);
      if (ofIndex.length > 0) await writeAll(index, ofIndex);
      if (ofIndex.length < chunk.length) await writeAll(pack, chunk.subarray(ofIndex.length));
      missing -= ofIndex.length;
    }
    if (missing > 0)
      throw new SandboxError('tree_refused', `${missing} bytes of the pack's index are missing`);
  } finally {
    await Promise.all([index.close(), pack.close()]);
  }
}

async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    written += (await file.write(bytes, written)).bytesWritten;
  }
}
