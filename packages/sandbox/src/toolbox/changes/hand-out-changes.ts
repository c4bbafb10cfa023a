import { join } from 'node:path';
import { createYield } from '../../proc/yield-to-event-loop.ts';
import { encodeChangeHeader, encodePiece, endOfContent } from '../../protocol/change-pack.ts';
import type { Requests } from '../../protocol/requests.ts';
import { SandboxError } from '../../protocol/sandbox-error.ts';
import type { AdoptChangesResult, ChangeHeader, ChangesResult } from '../../protocol/schemas.ts';
import { maxChunkBytes } from '../../protocol/send-window.ts';
import { show } from '../../protocol/workspace-path.ts';
import type { Call } from '../serve.ts';
import type { Toolbox } from '../toolbox.ts';
import { type TreeEntry, takeStat } from '../tree/tree-index.ts';
import { createBlobHash, openContent } from './content.ts';
import { type Changed, findChanges } from './find-changes.ts';

/** What the index becomes once the host says that it has this; undefined stands for a deleted file. */
export interface Handout {
  number: number;
  entries: Map<string, TreeEntry | undefined>;
}

export async function handOutChanges(
  toolbox: Toolbox,
  { paths, maxFiles, maxBytes, received }: Requests['changes']['params'],
  { send, signal }: Call,
): Promise<ChangesResult> {
  settleHandout(toolbox, received);
  const { changed, refusals } = await findChanges(toolbox, paths);
  refuseTooMany(changed, { maxFiles, maxBytes });
  const entries = await sendChanges(toolbox, changed, { maxBytes, send, signal });
  toolbox.handoutCount += 1;
  toolbox.handout = { number: toolbox.handoutCount, entries };
  return { handout: toolbox.handoutCount, refused: refusals.listed(), refusedCount: refusals.count() };
}

/** Takes the files as they are now for the state from which changes count, and hands nothing out. */
export async function adoptChanges(
  toolbox: Toolbox,
  { received }: Requests['adoptChanges']['params'],
  { signal }: Call,
): Promise<AdoptChangesResult> {
  settleHandout(toolbox, received);
  const { changed } = await findChanges(toolbox, undefined);
  const drop = async () => {};
  const entries = await sendChanges(toolbox, changed, {
    maxBytes: Number.POSITIVE_INFINITY,
    send: drop,
    signal,
  });
  moveIndex(toolbox, entries);
  return { files: entries.size };
}

/** A handout that did not arrive is forgotten, and its changes are found again: nothing is ever lost. */
function settleHandout(toolbox: Toolbox, received: number): void {
  const { handout } = toolbox;
  toolbox.handout = undefined;
  if (handout !== undefined && handout.number === received) moveIndex(toolbox, handout.entries);
}

function moveIndex({ index }: Toolbox, entries: Handout['entries']): void {
  for (const [path, entry] of entries) {
    if (entry === undefined) index.delete(path);
    else index.set(path, entry);
  }
}

function refuseTooMany(changed: Changed[], limits: { maxFiles: number; maxBytes: number }): void {
  const bytes = changed.reduce((sum, { size }) => sum + size, 0);
  if (changed.length <= limits.maxFiles && bytes <= limits.maxBytes) return;
  const biggest = [...changed].sort((a, b) => b.size - a.size).slice(0, 3);
  throw new SandboxError(
    'too_many_changes',
    `${changed.length} changed files with ${bytes} bytes are over the limit of ${limits.maxFiles} files and ` +
      `${limits.maxBytes} bytes; the biggest: ${biggest.map(({ path, size }) => `${show(path)} (${size})`).join(', ')}`,
  );
}

interface SendOptions {
  maxBytes: number;
  send: Call['send'];
  signal: AbortSignal;
}

async function sendChanges(toolbox: Toolbox, changed: Changed[], options: SendOptions) {
  const { maxBytes, send, signal } = options;
  const entries: Handout['entries'] = new Map();
  const pack = createBatch(send);
  // What set-up left may be gigabytes, and where nothing is sent nothing else waits.
  const yieldNow = createYield(4);
  let bytesLeft = maxBytes;
  for (const { path, kind } of changed) {
    if (kind === 'deleted') {
      await pack.add(encodeChangeHeader({ path, kind, executable: false } satisfies ChangeHeader));
      await pack.add(endOfContent);
      entries.set(path, undefined);
      continue;
    }
    const realPath = join(toolbox.workspace, path);
    // Taken before the content: a write in between shows as a newer stat next time.
    const stat = takeStat(realPath)?.stat;
    const content = stat && openContent(realPath, kind);
    // Gone since it was found, by a command that is still running; the next call will tell.
    if (stat === undefined || content === undefined) continue;
    const executable = kind === 'file' && (stat.mode & 0o100n) !== 0n;
    await pack.add(encodeChangeHeader({ path, kind, executable } satisfies ChangeHeader));
    const hash = createBlobHash(Number(stat.size));
    for (const chunk of content) {
      await yieldNow();
      signal.throwIfAborted();
      bytesLeft -= chunk.length;
      if (bytesLeft < 0) throw new SandboxError('too_many_changes', `${show(path)} grew while it was read`);
      hash.update(chunk);
      await pack.add(encodePiece(chunk));
    }
    await pack.add(endOfContent);
    entries.set(path, { kind, executable, blob: hash.digest('hex'), stat });
  }
  await pack.flush();
  return entries;
}

/** Small files share a frame. */
function createBatch(send: Call['send']) {
  let pieces: Buffer[] = [];
  let held = 0;
  async function flush(): Promise<void> {
    const batch = Buffer.concat(pieces, held);
    pieces = [];
    held = 0;
    if (batch.length > 0) await send(batch);
  }
  return {
    add(bytes: Buffer): Promise<void> | undefined {
      pieces.push(bytes);
      held += bytes.length;
      return held >= maxChunkBytes ? flush() : undefined;
    },
    flush,
  };
}
