/**
 * The format of changed files: for each file a u32 length and a JSON header, then its content as pieces of u32 length and
 * bytes, terminated by a length of zero. The header has no size, because a file may change while it is read.
 */

const lengthBytes = 4;
const maxHeaderBytes = 32 * 1024;
const maxPieceBytes = 1024 * 1024;
/** Beyond this many, small chunks are joined, because each costs far more memory than its bytes. */
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

/** Throws on a length that is too large and on a header that is not JSON. `finish` throws on an incomplete pack. */
export function createChangePackParser(reader: ChangePackReader) {
  let chunks: Buffer[] = [];
  let held = 0;
  let wanted = lengthBytes;
  let inContent = false;

  /** Returns the incomplete rest, and sets `wanted` to the bytes that complete the next piece. */
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
      throw new Error(`a piece of the change pack has ${length} bytes`);
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
      // Join only when a piece is complete: a piece that arrives in single bytes would otherwise be copied a million times.
      if (held < wanted && chunks.length <= maxChunks) return;
      const joined = chunks.length === 1 ? chunk : Buffer.concat(chunks, held);
      const rest = held < wanted ? joined : takePieces(joined);
      chunks = rest.length > 0 ? [rest] : [];
      held = rest.length;
    },
    finish(): void {
      if (held > 0 || inContent) throw new Error('the change pack is incomplete');
    },
  };
}
