import type { Duplex } from 'node:stream';

const engineTimeoutMs = 5_000;

/** What was said gets through; then the connection goes, whatever the other side does with its own half. */
export function endConnection(connection: Duplex, limitMs = engineTimeoutMs): void {
  const limit = setTimeout(() => connection.destroy(), limitMs);
  connection.once('close', () => clearTimeout(limit));
  // What is not read would take the answer along where the connection is torn down.
  connection.resume();
  connection.end(() => connection.destroy());
}
