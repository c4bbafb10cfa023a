import type { Socket } from 'node:net';
import type pg from 'pg';

/** As long as a transaction may last, so that no statement of ours takes longer. */
export const longestSilenceMs = 30_000;

/**
 * A connection whose other side is gone without a word, as with its machine, is not waited at for ever: what was under way
 * fails, and the next query has another one. With 0 there is no limit.
 */
export function limitSilence(client: pg.ClientBase, ms: number): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.removeAllListeners('timeout');
  stream.setTimeout(ms);
  stream.on('timeout', () => stream.destroy(new Error(`Connection terminated: silent for ${ms / 1000} s`)));
}
