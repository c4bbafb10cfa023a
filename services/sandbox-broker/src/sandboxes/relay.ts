// Between the caller's connection and the container's attached stream, in both directions, each at the pace of the slower
// side and each with an end of its own.
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { demultiplex } from '../engine/demultiplex.ts';

export interface RelayOptions {
  caller: Duplex;
  attached: Duplex;
  onErrorOutput: (bytes: Buffer) => void;
  /** The caller has no more to say; what the toolbox still says goes through. */
  onCallerEnd: () => void;
}

/** Resolves when the container's output has ended and all of it was handed over; also when either side broke. */
export async function relay({ caller, attached, onErrorOutput, onCallerEnd }: RelayOptions): Promise<void> {
  caller.once('end', onCallerEnd);
  caller.once('close', () => attached.destroy());
  // A broken stream shows as its end; there is nobody to tell why.
  for (const stream of [caller, attached]) stream.on('error', () => stream.destroy());
  caller.pipe(attached);
  try {
    for await (const { output, bytes } of demultiplex(attached)) {
      if (output === 'stderr') onErrorOutput(bytes);
      else if (!caller.write(bytes)) await drained(caller);
    }
  } catch {
    // The same as an end: whoever waits learns from the container itself how it ended.
  }
}

async function drained(stream: Duplex): Promise<void> {
  if (stream.destroyed) return;
  const given = new AbortController();
  const { signal } = given;
  try {
    await Promise.race([once(stream, 'drain', { signal }), once(stream, 'close', { signal })]);
  } finally {
    given.abort();
  }
}
