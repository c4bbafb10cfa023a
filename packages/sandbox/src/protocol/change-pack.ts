// How changed files travel: for each one a u32 length and a JSON header, then its content as u32 lengths and
// bytes, closed by a length of zero. Sizes are not announced, since a file may change while it is read.

const LENGTH_BYTES = 4;
const MAX_HEADER_BYTES = 32 * 1024;
const MAX_PIECE_BYTES = 1024 * 1024;

export function encodeChangeHeader(header: object): Buffer {
  return encodePiece(Buffer.from(JSON.stringify(header)));
}

export function encodePiece(bytes: Buffer): Buffer {
  const length = Buffer.allocUnsafe(LENGTH_BYTES);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

export const END_OF_CONTENT = Buffer.alloc(LENGTH_BYTES);

export interface ChangePackReader {
  onHeader(header: unknown): void;
  onContent(bytes: Buffer): void;
  onEntryEnd(): void;
}

/** Throws on a length that is out of bounds and on a header that is not JSON; `finish` on a cut-off pack. */
export function createChangePackParser(reader: ChangePackReader) {
  let held: Buffer = Buffer.alloc(0);
  let inContent = false;

  function takePiece(): Buffer | undefined {
    if (held.length < LENGTH_BYTES) return undefined;
    const length = held.readUInt32BE(0);
    if (length > (inContent ? MAX_PIECE_BYTES : MAX_HEADER_BYTES)) {
      throw new Error(`a piece of ${length} bytes in a change pack`);
    }
    if (held.length < LENGTH_BYTES + length) return undefined;
    const piece = held.subarray(LENGTH_BYTES, LENGTH_BYTES + length);
    held = held.subarray(LENGTH_BYTES + length);
    return piece;
  }

  return {
    push(chunk: Buffer): void {
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      for (let piece = takePiece(); piece !== undefined; piece = takePiece()) {
        if (!inContent) {
          reader.onHeader(JSON.parse(piece.toString('utf8')));
          inContent = true;
        } else if (piece.length > 0) {
          reader.onContent(piece);
        } else {
          reader.onEntryEnd();
          inContent = false;
        }
      }
    },
    finish(): void {
      if (held.length > 0 || inContent) throw new Error('a change pack that ends in the middle');
    },
  };
}
