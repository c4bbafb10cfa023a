import type { Rewrite } from './ecosystems/ecosystem.ts';

/**
 * Replaces addresses in a stream of JSON. No rewrite pattern matches a closing brace, so the text can be split after
 * each one. Works on Latin-1, because addresses are ASCII and all other bytes stay as they are.
 */
export async function* rewriteBody(
  body: AsyncIterable<Uint8Array>,
  { pattern, replace }: Rewrite,
  place: { base: string; name: string },
): AsyncGenerator<Buffer> {
  const rewrite = (text: string): Buffer => {
    const done = text.replace(pattern, (_match, ...groups) => replace(groups as string[], place));
    return Buffer.from(done, 'latin1');
  };
  let held: string[] = [];
  for await (const chunk of body) {
    const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1');
    const cut = text.lastIndexOf('}') + 1;
    held.push(text.slice(0, cut));
    if (cut > 0) {
      yield rewrite(held.join(''));
      held = [];
    }
    held.push(text.slice(cut));
  }
  const rest = held.join('');
  if (rest !== '') yield rewrite(rest);
}
