// How changed files travel: for each one a u32 length and a JSON header, then its content as u32 lengths and
// bytes, closed by a length of zero. Sizes are not announced, since a file may change while it is read.

const lengthBytes = 4;
const maxHeaderBytes = 32 * 1024;
const maxPieceBytes = 1024 * 1024;
/** Tiny chunks are joined beyond this many, since each of them costs far more than its bytes. */
const maxChunks = 1024;

export function encodeChangeHeader(header: object): Buffer {
  return encodePiece(Buffer.from(JSON.stringify(header)));
}

export function encodePiece(bytes: Buffer): Buffer {
  const length = Buffer.allocUnsafe(lengthBytes);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

export const endOfContent = Buffer.alloc(lengthBytes);

export interface ChangePackReader {
  onHeader(header: unknown): void;
  onContent(bytes: Buffer): void;
  onEntryEnd(): void;
}

/** Throws on a length that is out of bounds and on a header that is not JSON; `finish` on a cut-off pack. */
export function createChangePackParser(reader: ChangePackReader) {
  let chunks: Buffer[] = [];
  let held = 0;
  let wanted = lengthBytes;
  let inContent = false;

  /** What is left of it; notes how much it takes until there is a piece again. */
  function takePieces(joined: Buffer): Buffer {
    for (let rest = joined; ; ) {
      wanted = lengthBytes + (rest.length < lengthBytes ? 0 : readLength(rest));
      if (rest.length < wanted) return rest;
      onPiece(rest.subarray(lengthBytes, wanted));
      rest = rest.subarray(wanted);
    }
  }

  function readLength(bytes: Buffer): number {
    const length = bytes.readUInt32BE(0);
    if (length > (inContent ? maxPieceBytes : maxHeaderBytes)) {
      throw new Error(`a piece of ${length} bytes in a change pack`);
    }
    return length;
  }

  function onPiece(piece: Buffer): void {
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

  return {
    push(chunk: Buffer): void {
      chunks.push(chunk);
      held += chunk.length;
      // Joined when a piece is there, not with each chunk: a piece in single bytes would be copied a million times.
      if (held < wanted && chunks.length <= maxChunks) return;
      const joined = chunks.length === 1 ? chunk : Buffer.concat(chunks, held);
      const rest = held < wanted ? joined : takePieces(joined);
      chunks = rest.length > 0 ? [rest] : [];
      held = rest.length;
    },
    finish(): void {
      if (held > 0 || inContent) throw new Error('a change pack that ends in the middle');
    },
  };
}
