import { expect, test } from 'vitest';
import { hashLines, hashResult, hashSimilar, serialise } from './fingerprint.ts';

test.each([
  ['passed in 12ms', 'passed in 1.5 s'],
  ['2026-11-16T10:00:01.123Z start', '2026-11-17T23:59:59.001Z start'],
  ['at 10:00:01', 'at 9:12:44.5'],
  ['Object at 0x7ffe12ab', 'Object at 0x55d0ffff'],
  ['wrote /tmp/abc-123/out.txt', 'wrote /tmp/xyz-9/out.txt'],
  ['(node:4711) warning', '(node:815) warning'],
  ['pid 17 ended', 'pid 18 ended'],
  ['a    b', 'a  b'],
  ['run 0f8fad5b-d9cb-469f-a165-70867728950e', 'run 7c9e6679-7425-40de-944b-e07fc1f90ae7'],
  ['container 4f1d2c3b5a69 exited', 'container 0123456789ab exited'],
])('the same hash for %s and %s', (one, other) => {
  expect(hashResult(one)).toBe(hashResult(other));
});

test.each([
  ['3 failed', '2 failed'],
  ['src/a.ts:12:5 error', 'src/a.ts:13:5 error'],
  ['built 3 modules', 'built 4 modules'],
  ['balance 100000000001', 'balance 100000000002'],
  ['expected 200, got 500', 'expected 200, got 404'],
  [`${'x'.repeat(20_000)}a${'x'.repeat(20_000)}`, `${'x'.repeat(20_000)}b${'x'.repeat(20_000)}`],
])('different hashes for %.30s and %.30s', (one, other) => {
  expect(hashResult(one)).not.toBe(hashResult(other));
});

test('similar texts differ only in paths and numbers', () => {
  expect(hashSimilar('src/a/b.ts: no such file, line 3')).toBe(
    hashSimilar('lib/c.js: no such file, line 14'),
  );
  expect(hashSimilar('a.ts is empty')).not.toBe(hashSimilar('a.ts is a folder'));
});

test('the order of lines does not matter', () => {
  expect(hashLines('a failed (3 ms)\nb passed')).toBe(hashLines('b passed\na failed (99 ms)'));
  expect(hashLines('a failed\nb passed')).not.toBe(hashLines('a passed\nb failed'));
});

test('the order of fields does not matter', () => {
  expect(serialise({ b: 1, a: [2] })).toBe(serialise({ a: [2], b: 1 }));
  expect(serialise({ a: 1 })).not.toBe(serialise({ a: '1' }));
});
