import { PassThrough } from 'node:stream';
import type { ReadStream } from 'node:tty';
import { expect, test } from 'vitest';
import { readSecret } from './read-secret.ts';

/** A terminal that records in which mode it was. */
function openFakeTerminal() {
  const modes: boolean[] = [];
  const stream = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (isRaw: boolean) => modes.push(isRaw),
  });
  return { stdin: stream as unknown as ReadStream, type: (text: string) => stream.write(text), modes };
}

test('what is typed is not echoed, can be corrected, and ends with Enter', async () => {
  const { stdin, type, modes } = openFakeTerminal();
  const reading = readSecret('key: ', stdin);
  type('sk-typx');
  type('\u{7f}ed-key\rmore');
  expect(await reading).toBe('sk-typed-key');
  // In raw mode the terminal shows nothing, and it is left as it was.
  expect(modes).toEqual([true, false]);
  expect(stdin.listenerCount('data')).toBe(0);
});

test('Ctrl-C interrupts, and restores the terminal', async () => {
  const { stdin, type, modes } = openFakeTerminal();
  const reading = readSecret('key: ', stdin);
  type('sk-a-whole-key\u{3}');
  await expect(reading).rejects.toMatchObject({ code: 'interrupted', exitCode: 130 });
  expect(modes).toEqual([true, false]);
});

test('an endless paste is refused', async () => {
  const { stdin, type } = openFakeTerminal();
  const reading = readSecret('key: ', stdin);
  type(`${'x'.repeat(100_000)}\r`);
  await expect(reading).rejects.toThrow('that is not a key');
});
