import { closeSync, readSync } from 'node:fs';
import type { Requests } from '../../protocol/requests.ts';
import { SandboxError } from '../../protocol/sandbox-error.ts';
import type { ReadFileResult } from '../../protocol/schemas.ts';
import { maxChunkBytes } from '../../protocol/send-window.ts';
import { show } from '../../protocol/workspace-path.ts';
import type { Call } from '../serve.ts';
import type { Toolbox } from '../toolbox.ts';
import { openRegularFile } from './open-regular-file.ts';
import { resolveForReading } from './resolve-path.ts';

/** With an offset, sends as much as fits from there. Without one, sends the whole file or fails. */
export async function readFile(
  { workspace }: Toolbox,
  { path, maxBytes, offset }: Requests['readFile']['params'],
  { send, signal }: Call,
): Promise<ReadFileResult> {
  const { fd, stat } = openRegularFile(resolveForReading(workspace, path, { last: 'follow' }), path);
  try {
    if (offset === undefined && stat.size > maxBytes) {
      throw new SandboxError('too_large', `${show(path)} has ${stat.size} bytes; the limit is ${maxBytes}`);
    }
    const start = offset ?? 0;
    for (let position = start; position < start + maxBytes; ) {
      // One byte more than expected, so that most files need a single read of their size.
      const expected = Math.max(0, stat.size - position) + 1;
      const chunk = Buffer.allocUnsafe(Math.min(maxChunkBytes, start + maxBytes - position, expected));
      const count = readSync(fd, chunk, 0, chunk.length, position);
      if (count === 0) break;
      position += count;
      signal.throwIfAborted();
      await send(chunk.subarray(0, count));
    }
    return { size: stat.size, executable: (stat.mode & 0o100) !== 0 };
  } finally {
    closeSync(fd);
  }
}
