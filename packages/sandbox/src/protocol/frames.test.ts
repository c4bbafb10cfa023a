import { describe, expect, it } from 'vitest';
import { createFrameParser, encodeBytesHeader, encodeJson, type Frame, maxPayloadBytes } from './frames.ts';

function parseIn(pieces: Buffer[]): Frame[] {
  const frames: Frame[] = [];
  const parse = createFrameParser((frame) => frames.push(frame));
  for (const piece of pieces) parse(piece);
  return frames;
}

const stream = Buffer.concat([
  encodeJson({ id: 1, text: 'grün' }),
  encodeBytesHeader(7, 3),
  Buffer.from([0, 255, 10]),
  encodeBytesHeader(8, 0),
  encodeJson([]),
]);
const expected: Frame[] = [
  { kind: 'json', value: { id: 1, text: 'grün' } },
  { kind: 'bytes', id: 7, bytes: Buffer.from([0, 255, 10]) },
  { kind: 'bytes', id: 8, bytes: Buffer.alloc(0) },
  { kind: 'json', value: [] },
];

describe('frames', () => {
  it('are parsed whole, byte by byte and at every possible split', () => {
    expect(parseIn([stream])).toEqual(expected);
    expect(parseIn([...stream].map((byte) => Buffer.from([byte])))).toEqual(expected);
    for (let cut = 1; cut < stream.length; cut += 1) {
      expect(parseIn([stream.subarray(0, cut), stream.subarray(cut)])).toEqual(expected);
    }
  });

  it('of the maximum size are accepted in many pieces', () => {
    const bytes = Buffer.alloc(maxPayloadBytes - 4, 'x');
    const whole = Buffer.concat([encodeBytesHeader(1, bytes.length), bytes]);
    const pieces = Array.from({ length: 17 }, (_, index) =>
      whole.subarray(index * 65536, (index + 1) * 65536),
    );
    expect(parseIn(pieces)).toEqual([{ kind: 'bytes', id: 1, bytes }]);
  });

  it('that declare too many bytes are rejected before they are read', () => {
    const header = Buffer.from([0, 0x10, 0, 1, 2]);
    expect(() => parseIn([header])).toThrow(expect.objectContaining({ code: 'malformed' }));
    expect(() => encodeJson('x'.repeat(maxPayloadBytes))).toThrow(
      expect.objectContaining({ code: 'too_large' }),
    );
  });

  it.each([
    ['an unknown kind', Buffer.from([0, 0, 0, 0, 9])],
    ['bytes without an id', Buffer.from([0, 0, 0, 2, 2, 0, 0])],
    ['JSON that is none', Buffer.from([0, 0, 0, 1, 1, 0x7b])],
    ['text', Buffer.from('HTTP/1.1 400 Bad Request\r\n')],
  ])('with %s are rejected', (_, bytes) => {
    expect(() => parseIn([bytes])).toThrow(expect.objectContaining({ code: 'malformed' }));
  });
});
