/** One POST that is answered by server-sent events. Any other answer is thrown, with the service's own message. */
import { createParser } from 'eventsource-parser';
import { z } from 'zod';
import type { Watched } from './ask-with-retries.ts';
import { StatusError } from './classify-failure.ts';
import { type Answered, type Post, post } from './post.ts';
import { ProxyError, type Route } from './route.ts';

const maxErrorBytes = 64_000;

/** Returns the data of each event. Every byte, also of a comment, resets the idle watchdog. */
export async function postForEvents(
  { url, headers, body }: Post,
  route: Route,
  { signal, until, watch }: Watched,
): Promise<AsyncIterable<string>> {
  const answered = await until(post({ url, headers: { ...common, ...headers }, body }, route, signal));
  // Inside `until`, because an error body may never end either.
  if (answered.status > 299) throw await until(readError(answered, route));
  if (withoutBody.includes(answered.status)) throw new Error('the response has no body');
  return readEvents(watch(answered.chunks));
}

const withoutBody = [204, 205];
const common = { 'content-type': 'application/json', 'user-agent': 'fettle' };

async function* readEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let events: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => events.push(data.trim()) });
  const takeEvents = () => {
    const taken = events.filter((data) => data !== '');
    events = [];
    return taken;
  };
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* takeEvents();
  }
  // Some servers leave out the blank line after the last event.
  parser.feed('\n\n');
  yield* takeEvents();
}

/** An error of the service, as an answer of its own or in the middle of a stream. */
export const serviceErrorSchema = z.object({
  message: z.string().min(1),
  code: z.union([z.string(), z.number()]).nullish().catch(undefined),
  type: z.string().nullish().catch(undefined),
});

const errorBodySchema = z.object({ error: serviceErrorSchema });

async function readError({ status, retryAfter, chunks }: Answered, route: Route): Promise<Error> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    pieces.push(chunk);
    bytes += chunk.length;
    if (bytes > maxErrorBytes) break;
  }
  const text = Buffer.concat(pieces).toString('utf8');
  const { message, code } = errorBodySchema.safeParse(parseJson(text)).data?.error ?? {};
  const reason = message ?? (text.trim() || 'no reason given');
  // Only a proxy answers with 407.
  if (status === 407) return route.describeError(new ProxyError(`407 ${reason}`, status));
  return new StatusError(reason, { status, retryAfter, ...(code && { code: String(code) }) });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
