import { expect, test } from 'vitest';
import { npm } from './ecosystems/npm.ts';
import { rewriteBody } from './rewrite-body.ts';

const rewrite = npm.routes[0]?.rewrite;
const place = { base: 'http://127.0.0.1:5000/', name: '@scope/pad' };

async function rewritten(text: string, chunkBytes: number): Promise<string> {
  if (rewrite === undefined) throw new Error('npm has nothing to rewrite');
  const bytes = Buffer.from(text);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  }
  return Buffer.concat(await Array.fromAsync(rewriteBody(chunks(), rewrite, place))).toString('utf8');
}

const versions = (tarball: (version: string) => string) =>
  Object.fromEntries(
    ['1.0.0', '1.0.1', '2.0.0'].map((version) => [version, { dist: { tarball: tarball(version) } }]),
  );
const readme = 'a {text} about "tarball":"https://x/-/y.tgz" with ümläuts — and 漢字';

test.each([1, 7, 64, 10_000])(
  'tarball addresses of any host point to the sandbox, in chunks of %i',
  async (size) => {
    const from = {
      readme,
      versions: versions((v) => `https://cdn.example.com/x/@scope/pad/-/pad-${v}.tgz`),
    };
    const to = { readme, versions: versions((v) => `${place.base}@scope/pad/-/pad-${v}.tgz`) };
    expect(JSON.parse(await rewritten(JSON.stringify(from), size))).toEqual(to);
    expect(JSON.parse(await rewritten(JSON.stringify(from, null, 2), size))).toEqual(to);
  },
);
