/**
 * The engine's attached stream carries both outputs: `u8 output · 3 bytes · u32 length · payload`. Pieces of a payload are
 * passed on as they arrive, and the next one is read only after the last has been consumed (back-pressure).
 */
import type { Readable } from 'node:stream';

export interface Piece {
  output: 'stdout' | 'stderr';
  bytes: Buffer;
}

const headerBytes = 8;
const outputNames: Record<number, Piece['output']> = { 1: 'stdout', 2: 'stderr' };

export async function* demultiplex(stream: Readable | AsyncIterable<Buffer>): AsyncGenerator<Piece> {
  let header: Buffer = Buffer.alloc(0);
  let output: Piece['output'] = 'stdout';
  let left = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let rest = chunk;
    while (rest.length > 0) {
      if (left === 0) {
        const wanted = headerBytes - header.length;
        header = Buffer.concat([header, rest.subarray(0, wanted)]);
        rest = rest.subarray(wanted);
        if (header.length < headerBytes) break;
        output = outputOf(header);
        left = header.readUInt32BE(4);
        header = Buffer.alloc(0);
      } else {
        const bytes = rest.subarray(0, left);
        left -= bytes.length;
        rest = rest.subarray(bytes.length);
        yield { output, bytes };
      }
    }
  }
}

function outputOf(header: Buffer): Piece['output'] {
  const output = outputNames[header.readUInt8(0)];
  if (output === undefined) throw new Error('the engine sent a stream that is not multiplexed');
  return output;
}
