/**
 * Connects the caller's connection with the container's attached stream, with back-pressure in both directions. Each
 * direction can end before the other.
 */
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { demultiplex } from '../engine/demultiplex.ts';

export interface RelayOptions {
  caller: Duplex;
  attached: Duplex;
  onErrorOutput: (bytes: Buffer) => void;
  /** The caller has ended its side. Output of the toolbox is still passed on. */
  onCallerEnd: () => void;
}

/** Resolves when all output of the container has been passed on, or when either side fails. */
export async function relay({ caller, attached, onErrorOutput, onCallerEnd }: RelayOptions): Promise<void> {
  caller.once('end', onCallerEnd);
  caller.once('close', () => attached.destroy());
  // A broken stream is handled as its end; there is no channel to report the reason.
  for (const stream of [caller, attached]) stream.on('error', () => stream.destroy());
  caller.pipe(attached);
  try {
    for await (const { output, bytes } of demultiplex(attached)) {
      if (output === 'stderr') onErrorOutput(bytes);
      else if (!caller.write(bytes)) await drained(caller);
    }
  } catch {
    // The same as an end: the container's state tells how it ended.
  }
}

async function drained(stream: Duplex): Promise<void> {
  if (stream.destroyed) return;
  const waiting = new AbortController();
  const { signal } = waiting;
  try {
    await Promise.race([once(stream, 'drain', { signal }), once(stream, 'close', { signal })]);
  } finally {
    waiting.abort();
  }
}
