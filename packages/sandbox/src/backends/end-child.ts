import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

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
