import { expect, test } from 'vitest';
import { addBunAddresses, dropBunAddresses } from './bun-addresses.ts';

const base = 'http://127.0.0.1:4000/';
const lockfile = `{
  "packages": {
    "a": ["a@1.0.0", "", {}, "sha512-x=="],
    "@b/c": ["@b/c@2.0.0-rc.1", "", { "dependencies": { "a": "1" } }, "sha512-é=="],
    "own": ["own@workspace:packages/own", ""],
    "mine": ["mine@1.0.0", "https://npm.example/mine.tgz", {}, "sha512-x=="],
  }
}
`;

test('packages of the public registry point to loopback while they are installed', () => {
  const pointed = addBunAddresses(Buffer.from(lockfile), base);
  const text = pointed?.toString() ?? '';
  expect(text).toContain('["a@1.0.0", "http://127.0.0.1:4000/a/-/a-1.0.0.tgz", {}');
  expect(text).toContain('"http://127.0.0.1:4000/@b/c/-/c-2.0.0-rc.1.tgz"');
  expect(text.match(/127/g)).toHaveLength(2);
  expect(dropBunAddresses(Buffer.from(text), base)?.toString()).toBe(lockfile);
});

test('a hostile file takes linear time, and a large result is refused', () => {
  const startedAt = performance.now();
  const odd = Buffer.from('["@a'.repeat(1_000_000) + '["a@1'.repeat(1_000_000));
  expect(addBunAddresses(odd, base)).toBe(odd);
  expect(performance.now() - startedAt).toBeLessThan(20_000);
  expect(addBunAddresses(Buffer.from('["a@1", "",'.repeat(500_000)), base)).toBeUndefined();
});
