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

/** A set of changes that was sent to the host. The index takes over its entries once the host confirms them. Undefined means deleted. */
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
  throwIfTooMany(changed, { maxFiles, maxBytes });
  const entries = await sendChanges(toolbox, changed, { maxBytes, send, signal });
  toolbox.handoutCount += 1;
  toolbox.handout = { number: toolbox.handoutCount, entries };
  return { handout: toolbox.handoutCount, refused: refusals.listed(), refusedCount: refusals.count() };
}

/** Makes the current files the base for future changes, without sending them. */
export async function adoptChanges(
  toolbox: Toolbox,
  { received }: Requests['adoptChanges']['params'],
  { signal }: Call,
): Promise<AdoptChangesResult> {
  settleHandout(toolbox, received);
  const { changed } = await findChanges(toolbox, undefined);
  const discard = async () => {};
  const entries = await sendChanges(toolbox, changed, {
    maxBytes: Number.POSITIVE_INFINITY,
    send: discard,
    signal,
  });
  moveIndex(toolbox, entries);
  return { files: entries.size };
}

/** An unconfirmed handout is dropped. Its changes will be found again, so nothing is lost. */
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

function throwIfTooMany(changed: Changed[], limits: { maxFiles: number; maxBytes: number }): void {
  const bytes = changed.reduce((sum, { size }) => sum + size, 0);
  if (changed.length <= limits.maxFiles && bytes <= limits.maxBytes) return;
  const largest = [...changed].sort((a, b) => b.size - a.size).slice(0, 3);
  throw new SandboxError(
    'too_many_changes',
    `${changed.length} changed files with ${bytes} bytes exceed the limit of ${limits.maxFiles} files and ` +
      `${limits.maxBytes} bytes; the largest: ${largest.map(({ path, size }) => `${show(path)} (${size})`).join(', ')}`,
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
  // Set-up may leave gigabytes, and without sending, nothing else would yield.
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
    // Before the content is read: a later write then shows as a newer stat.
    const stat = takeStat(realPath)?.stat;
    const content = stat && openContent(realPath, kind);
    // Deleted meanwhile by a running command. The next call reports it.
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

/** Batches small files into one frame. */
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
