/** Writes log lines to a file descriptor. A line that cannot be written is dropped and counted; logging must not block the service. */
import { writeSync } from 'node:fs';

const pausesMs = [1, 5, 20];
const warnLevel = 40;

export interface LineSink {
  write(line: string): void;
}

/** Not a stream: with a full disk, a stream buffers without a limit or ends the process with an error. */
export function createLineSink(descriptor: number, name: string): LineSink {
  let dropped = 0;
  /** Whether the last line was written only in part. */
  let isPartial = false;

  function tryWrite(text: string): boolean {
    const bytes = Buffer.from(isPartial ? `\n${text}` : text);
    const written = writeAll(descriptor, bytes, dropped === 0 ? pausesMs : []);
    if (written > 0) isPartial = written < bytes.length;
    return written === bytes.length;
  }

  return {
    write(line) {
      const reported = dropped === 0 || tryWrite(describeDropped(name, dropped));
      if (reported) dropped = 0;
      if (!reported || !tryWrite(line)) dropped += 1;
    },
  };
}

/** Returns how many bytes were written. Waits briefly for a slow reader. */
function writeAll(descriptor: number, bytes: Buffer, pauses: number[]): number {
  let written = 0;
  let tries = 0;
  while (written < bytes.length) {
    try {
      written += writeSync(descriptor, bytes, written);
    } catch (error) {
      const pauseMs = pauses[tries];
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || pauseMs === undefined) return written;
      tries += 1;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
  return written;
}

function describeDropped(name: string, lines: number): string {
  const msg = 'log lines could not be written and were dropped';
  return `${JSON.stringify({ level: warnLevel, time: Date.now(), pid: process.pid, name, lines, msg })}\n`;
}
