/**
 * A frame is a u32 payload length (big endian), a u8 kind, and the payload. A payload of bytes begins with the u32 id of
 * its request.
 */
import { SandboxError } from './sandbox-error.ts';

export const maxPayloadBytes = 1024 * 1024;
const frameHeaderBytes = 5;
const kindJson = 1;
const kindBytes = 2;
const idBytes = 4;
/** Beyond this many, pieces are joined: a sender of single bytes must not cost a hundred times its bytes in memory. */
const maxPieces = 1024;

export type Frame = { kind: 'json'; value: unknown } | { kind: 'bytes'; id: number; bytes: Buffer };

export function encodeJson(value: unknown): Buffer {
  const payload = Buffer.from(JSON.stringify(value));
  if (payload.length > maxPayloadBytes) {
    throw new SandboxError(
      'too_large',
      `a message of ${payload.length} bytes exceeds the limit of ${maxPayloadBytes} for one frame`,
    );
  }
  return Buffer.concat([encodeHeader(kindJson, payload.length), payload]);
}

/** The header only: the bytes themselves are written without a copy. */
export function encodeBytesHeader(id: number, byteCount: number): Buffer {
  const header = Buffer.allocUnsafe(frameHeaderBytes + idBytes);
  encodeHeader(kindBytes, idBytes + byteCount).copy(header);
  header.writeUInt32BE(id, frameHeaderBytes);
  return header;
}

/** Accepts the stream in pieces of any size. Throws `malformed` on an invalid frame. */
export function createFrameParser(onFrame: (frame: Frame) => void): (chunk: Buffer) => void {
  let pieces: Buffer[] = [];
  let held = 0;
  let wanted = frameHeaderBytes;
  return (chunk) => {
    pieces.push(chunk);
    held += chunk.length;
    if (pieces.length > maxPieces) pieces = [Buffer.concat(pieces, held)];
    while (held >= wanted) {
      // Join pieces only when the frame is complete, so that each frame is copied once.
      const joined = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces, held);
      const frameBytes = frameHeaderBytes + readPayloadLength(joined);
      if (held < frameBytes) {
        pieces = [joined];
        wanted = frameBytes;
        return;
      }
      const rest = joined.subarray(frameBytes);
      pieces = rest.length > 0 ? [rest] : [];
      held = rest.length;
      wanted = frameHeaderBytes;
      onFrame(decodeFrame(joined.subarray(0, frameBytes)));
    }
  };
}

function encodeHeader(kind: number, payloadLength: number): Buffer {
  const header = Buffer.allocUnsafe(frameHeaderBytes);
  header.writeUInt32BE(payloadLength, 0);
  header.writeUInt8(kind, 4);
  return header;
}

function readPayloadLength(frame: Buffer): number {
  const length = frame.readUInt32BE(0);
  if (length > maxPayloadBytes) {
    throw new SandboxError('malformed', `a frame declares ${length} bytes; the limit is ${maxPayloadBytes}`);
  }
  return length;
}

function decodeFrame(frame: Buffer): Frame {
  const kind = frame.readUInt8(4);
  const payload = frame.subarray(frameHeaderBytes);
  if (kind === kindJson) return { kind: 'json', value: parseJson(payload) };
  if (kind === kindBytes && payload.length >= idBytes) {
    return { kind: 'bytes', id: payload.readUInt32BE(0), bytes: payload.subarray(idBytes) };
  }
  throw new SandboxError('malformed', `a frame has the unknown kind ${kind} (${payload.length} bytes)`);
}

function parseJson(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString('utf8'));
  } catch (cause) {
    throw new SandboxError('malformed', 'a JSON frame does not contain JSON', { cause });
  }
}
