import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { replaceAddresses } from './replace-addresses.ts';

const from = 'https://registry.example/';
const replacements = new Map([
  [`${from}deep/`, 'http://b/'],
  [from, 'http://a/'],
]);
const replace = async (text: string) =>
  (await replaceAddresses(Buffer.from(text), replacements, 1e8))?.toString();

test('replaces the first matching prefix that is followed by a character', async () => {
  expect(await replace(`ä "${from}x" ${from}deep/y ${from}\n"${from}" 😀${from}ü`)).toBe(
    `ä "http://a/x" http://b/y ${from}\n"${from}" 😀http://a/ü`,
  );
  const bytes = Buffer.from([0xff, 0x00, 0xc3]);
  expect(await replaceAddresses(bytes, replacements, 10)).toBe(bytes);
});

test('replaces an address that spans two pieces', async () => {
  for (let before = 32 * 1024 - from.length - 2; before < 32 * 1024 + 3; before++) {
    const filler = 'h'.repeat(before);
    expect((await replace(`${filler}${from}x`)) === `${filler}http://a/x`, String(before)).toBe(true);
  }
});

test('does not block the event loop, and limits the size of the result', async () => {
  const bytes = Buffer.from(`${from}x\n`.repeat(500_000));
  let turns = 0;
  let working = true;
  const counting = (async () => {
    for (; working; turns++) await setImmediate();
  })();
  const replaced = await replaceAddresses(bytes, replacements, 1e8);
  working = false;
  await counting;
  expect(replaced?.length).toBe(500_000 * 'http://a/x\n'.length);
  expect(turns).toBeGreaterThan(5);
  expect(await replaceAddresses(bytes, new Map([[from, 'y'.repeat(1000)]]), 20_000_000)).toBeUndefined();
});
