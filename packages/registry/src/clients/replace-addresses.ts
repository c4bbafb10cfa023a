import { setImmediate } from 'node:timers/promises';

const pieceBytes = 32 * 1024;
const maxBlockingMs = 4;

/**
 * Replaces prefixes of addresses that are followed by more characters. The first matching prefix wins. Works in pieces
 * on Latin-1 and yields to the event loop, because a hostile file may be made to block the worker. Returns the same
 * buffer if nothing was replaced, and undefined if the result would exceed `maxBytes`.
 */
export async function replaceAddresses(
  bytes: Buffer,
  replacements: Map<string, string>,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const froms = [...replacements.keys()];
  const pattern = new RegExp(`(?:${froms.map(RegExp.escape).join('|')})(?=[^"\\s])`, 'g');
  const overlap = Math.max(...froms.map(({ length }) => length)) + 1;
  const pieces: Buffer[] = [];
  let changed = false;
  let length = 0;
  let since = performance.now();
  for (let at = 0; at < bytes.length; ) {
    // A match that starts in this piece may end behind it.
    const text = bytes.toString('latin1', at, at + pieceBytes + overlap);
    let piece = '';
    let taken = 0;
    for (const { 0: from, index } of text.matchAll(pattern)) {
      if (index >= pieceBytes) break;
      piece += text.slice(taken, index) + replacements.get(from);
      taken = index + from.length;
      changed = true;
    }
    const end = Math.max(taken, Math.min(pieceBytes, text.length));
    pieces.push(Buffer.from(piece + text.slice(taken, end), 'latin1'));
    at += end;
    length += pieces.at(-1)?.length ?? 0;
    if (length > maxBytes) return undefined;
    if (performance.now() - since < maxBlockingMs) continue;
    await setImmediate();
    since = performance.now();
  }
  return changed ? Buffer.concat(pieces) : bytes;
}
