// A backend's one duty: start a toolbox and hand over its stream.
import type { Readable, Writable } from 'node:stream';

export interface StartedToolbox {
  /** To the toolbox; when this ends, so does it. */
  input: Writable;
  /** From the toolbox; read as untrusted. */
  output: Readable;
  /** The last it wrote to standard error, bounded, for messages about a failed start. */
  errorOutput(): string;
  /** Lets it end by itself for that long, then ends it by force; leaves no process and no folder behind. */
  stop(options: { graceMs: number }): Promise<void>;
}
