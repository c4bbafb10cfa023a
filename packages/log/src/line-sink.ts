/** Where lines of the log go. One that cannot be written is dropped and counted: whoever logs has other work to do. */
import { writeSync } from 'node:fs';

const pausesMs = [1, 5, 20];
const warnLevel = 40;

export interface LineSink {
  write(line: string): void;
}

/** A stream would keep what a full disk does not take, wait for room, and end the process with its error. */
export function createLineSink(descriptor: number, name: string): LineSink {
  let dropped = 0;
  /** The beginning of a line that found no room for its rest. */
  let torn = false;

  function put(text: string): boolean {
    const bytes = Buffer.from(torn ? `\n${text}` : text);
    const written = writeAll(descriptor, bytes, dropped === 0 ? pausesMs : []);
    if (written > 0) torn = written < bytes.length;
    return written === bytes.length;
  }

  return {
    write(line) {
      const told = dropped === 0 || put(describeDropped(name, dropped));
      if (told) dropped = 0;
      if (!told || !put(line)) dropped += 1;
    },
  };
}

/** How much was taken. Who reads slowly is waited for, for a moment. */
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
  const msg = 'lines of this log could not be written and are lost';
  return `${JSON.stringify({ level: warnLevel, time: Date.now(), pid: process.pid, name, lines, msg })}\n`;
}
