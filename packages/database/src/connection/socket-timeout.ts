import type { Socket } from 'node:net';
import type pg from 'pg';

/** The longest time of a transaction, so no statement of ours takes longer. */
export const defaultSilenceMs = 30_000;

/**
 * Detects a peer that vanished without closing the connection, such as a crashed machine: pending queries fail, and the next
 * query uses another connection. 0 means no limit.
 */
export function setSocketTimeout(client: pg.ClientBase, ms: number): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.removeAllListeners('timeout');
  stream.setTimeout(ms);
  stream.on('timeout', () => stream.destroy(new Error(`Connection terminated: no data for ${ms / 1000} s`)));
}
