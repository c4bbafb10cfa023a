import { setImmediate } from 'node:timers/promises';

const PIECE_BYTES = 32 * 1024;
const LONGEST_MS = 4;

/**
 * Puts one beginning of an address in place of another wherever something follows it; the first of several that fit
 * counts. Works in pieces and on bytes as Latin-1, since whoever wrote the file may have made it to keep us busy.
 * Gives the bytes themselves where nothing was replaced, and nothing where more than `maxBytes` would come of it.
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
    // What begins in this piece may end behind it.
    const text = bytes.toString('latin1', at, at + PIECE_BYTES + overlap);
    let piece = '';
    let taken = 0;
    for (const { 0: from, index } of text.matchAll(pattern)) {
      if (index >= PIECE_BYTES) break;
      piece += text.slice(taken, index) + replacements.get(from);
      taken = index + from.length;
      changed = true;
    }
    const end = Math.max(taken, Math.min(PIECE_BYTES, text.length));
    pieces.push(Buffer.from(piece + text.slice(taken, end), 'latin1'));
    at += end;
    length += pieces.at(-1)?.length ?? 0;
    if (length > maxBytes) return undefined;
    if (performance.now() - since < LONGEST_MS) continue;
    await setImmediate();
    since = performance.now();
  }
  return changed ? Buffer.concat(pieces) : bytes;
}
