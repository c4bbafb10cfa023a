import { expect, test } from 'vitest';
import { createGenerator } from '../testing/generator.ts';
import { demultiplex } from './demultiplex.ts';

function frame(which: number, text: string): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt8(which, 0);
  header.writeUInt32BE(Buffer.byteLength(text), 4);
  return Buffer.concat([header, Buffer.from(text)]);
}

async function collect(chunks: Buffer[]) {
  const found = { stdout: '', stderr: '' };
  async function* source() {
    yield* chunks;
  }
  for await (const { output, bytes } of demultiplex(source())) found[output] += bytes.toString();
  return found;
}

const stream = Buffer.concat([
  frame(1, 'one '),
  frame(2, 'oops'),
  frame(1, ''),
  frame(1, 'two'),
  frame(2, '!'),
]);
const expected = { stdout: 'one two', stderr: 'oops!' };

test('separates the two outputs, however the bytes are split', async () => {
  const generator = createGenerator(7);
  expect(await collect([stream])).toEqual(expected);
  expect(await collect(Array.from(stream, (byte) => Buffer.of(byte)))).toEqual(expected);
  for (let round = 0; round < 100; round++) {
    const chunks: Buffer[] = [];
    for (let at = 0; at < stream.length; ) {
      const length = generator.below(12);
      chunks.push(stream.subarray(at, at + length));
      at += length;
    }
    expect(await collect(chunks)).toEqual(expected);
  }
});

test('reads no further than the consumer', async () => {
  let read = 0;
  async function* source() {
    for (; read < 100; read++) yield frame(1, 'x');
  }
  const pieces = demultiplex(source());
  for (let taken = 0; taken < 5; taken++) await pieces.next();
  expect(read).toBeLessThanOrEqual(5);
});

test('rejects a stream that is not multiplexed', async () => {
  await expect(collect([Buffer.from('plain text of a terminal')])).rejects.toThrow('not multiplexed');
});
