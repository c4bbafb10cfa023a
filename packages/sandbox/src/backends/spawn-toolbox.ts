// A toolbox that is a child of this process: what it says about trouble, and how it ends.
import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { createBoundedOutput } from '../protocol/bounded-output.ts';

const maxErrorBytes = 8192;

export interface ToolboxChild {
  /** Adds a sentence to what it said itself. */
  note(text: string): void;
  errorOutput(): string;
  exited: Promise<void>;
}

export function listenToChild(child: ChildProcess): ToolboxChild {
  const errors = createBoundedOutput(maxErrorBytes);
  const note = (text: string) => errors.push(Buffer.from(text));
  child.stderr?.on('data', (chunk: Buffer) => errors.push(chunk));
  // A start that failed shows as the end of its streams.
  child.on('error', (error) => note(error.message));
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  return {
    note,
    errorOutput: () => Buffer.concat([errors.head(), errors.tail()]).toString('utf8'),
    exited,
  };
}

/** Closes its input, waits that long for it to end by itself, then ends it by force. */
export async function endChild(child: ChildProcess, exited: Promise<void>, graceMs: number): Promise<void> {
  child.stdin?.end();
  if (graceMs > 0) {
    const patience = new AbortController();
    const waited = delay(graceMs, undefined, { signal: patience.signal, ref: false }).catch(() => {});
    await Promise.race([exited, waited]);
    patience.abort();
  }
  child.kill('SIGKILL');
  await exited;
  child.stdout?.destroy();
  child.stderr?.destroy();
}
