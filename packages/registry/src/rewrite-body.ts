import type { Rewrite } from './ecosystems/ecosystem.ts';

/**
 * Replaces addresses in JSON as it streams. No match of a rewrite holds a closing brace, so that the text can be cut
 * behind each. Works on bytes as Latin-1, since addresses are ASCII and everything else stays as it is.
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
