import { StringDecoder } from 'node:string_decoder';

const maxLineLength = 128 * 1024 * 1024;

/** The lines of a stream, without empty ones; undefined stands for one that is too long to be held. */
export async function* readLines(stream: AsyncIterable<Buffer>): AsyncGenerator<string | undefined> {
  const decoder = new StringDecoder('utf8');
  let pending: string[] = [];
  let length = 0;
  const take = () => {
    const line = length > maxLineLength ? undefined : pending.join('').replace(/\r$/, '');
    pending = [];
    length = 0;
    return line;
  };
  for await (const chunk of stream) {
    const [first = '', ...rest] = decoder.write(chunk).split('\n');
    const hold = (text: string) => {
      length += text.length;
      if (length > maxLineLength) pending = [];
      else pending.push(text);
    };
    hold(first);
    for (const text of rest) {
      const line = take();
      if (line !== '') yield line;
      hold(text);
    }
  }
  const line = take();
  if (line !== '') yield line;
}
