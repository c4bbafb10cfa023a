/** A compromised toolbox cannot make a well-formed handout cost more memory or time than its content. */
import { expect, test, vi } from 'vitest';
import { encodeChangeHeader, encodePiece, endOfContent } from '../protocol/change-pack.ts';
import { createChangeReceiver } from './receive-changes.ts';

const bytesPerMb = 1024 ** 2;
const headerOf = (path: string, kind: 'file' | 'deleted' = 'file') =>
  encodeChangeHeader({ path, kind, executable: false });
const header = headerOf('a');

function receive(chunks: Iterable<Buffer>, maxFiles = 1) {
  const receiver = createChangeReceiver({ maxFiles, maxBytes: 8 * bytesPerMb });
  for (const chunk of chunks) receiver.push(chunk);
  receiver.finish();
  return receiver.changes;
}

test('content in single-byte pieces does not fill the memory', () => {
  const pieces = Buffer.concat(Array.from({ length: 64 * 1024 }, () => encodePiece(Buffer.from('x'))));
  let most = 0;
  function* pack() {
    yield header;
    for (let count = 0; count < 64; count += 1) {
      yield pieces;
      most = Math.max(most, process.memoryUsage().heapUsed);
    }
    yield endOfContent;
  }
  const before = process.memoryUsage().heapUsed;
  expect(receive(pack())).toMatchObject([{ path: 'a', size: 4 * bytesPerMb }]);
  expect(most - before).toBeLessThan(128 * bytesPerMb);
});

test('a piece that arrives byte by byte is not copied for each byte', () => {
  const content = Buffer.alloc(64 * 1024, 'x');
  const pack = Buffer.concat([header, encodePiece(content), endOfContent]);
  const joins = vi.spyOn(Buffer, 'concat');
  const [change] = receive(Array.from({ length: pack.length }, (_, at) => pack.subarray(at, at + 1)));
  const copiedBytes = joins.mock.results.reduce((sum, { value }) => sum + value.length, 0);
  joins.mockRestore();
  expect(change?.bytes.equals(content)).toBe(true);
  expect(copiedBytes).toBeLessThan(100 * content.length);
});

test('rejects a file inside a file, in either order, but not one that replaces a file', () => {
  const pack = (...headers: Buffer[]) => headers.flatMap((each) => [each, endOfContent]);
  const refusal = /invalid change pack: "a\/" and "a\/b\/c\/" are both files/;
  expect(() => receive(pack(header, headerOf('a/b/c')), 2)).toThrow(refusal);
  expect(() => receive(pack(headerOf('a/b/c'), header), 2)).toThrow(refusal);
  expect(receive(pack(headerOf('a', 'deleted'), headerOf('a/b/c'), headerOf('ab/c')), 3)).toHaveLength(3);
});
