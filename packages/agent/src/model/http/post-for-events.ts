/** One POST that is answered by a stream of events. Whatever else comes is thrown, in the service's own words. */
import { z } from 'zod';
import type { Watched } from './ask-with-retries.ts';
import { type Answered, type Post, post } from './post.ts';
import { readEvents } from './read-events.ts';
import { StatusError } from './status-error.ts';

const maxRefusalBytes = 64_000;

/** The data of each event; every byte is a sign of life. */
export async function postForEvents(
  { url, headers, body }: Post,
  { signal, until, watch }: Watched,
): Promise<AsyncIterable<string>> {
  const answered = await until(post({ url, headers: { ...common, ...headers }, body }, signal));
  // Inside the wait, so that a refusal that never ends is watched as well.
  if (answered.status > 299) throw await until(readRefusal(answered));
  if (withoutBody.includes(answered.status)) throw new Error('the response has no body');
  return readEvents(watch(answered.chunks));
}

const withoutBody = [204, 205];
const common = { 'content-type': 'application/json', 'user-agent': 'fettle' };

/** What a service says went wrong, in an answer of its own or in the middle of a stream. */
export const serviceErrorSchema = z.object({
  message: z.string().min(1),
  code: z.union([z.string(), z.number()]).nullish().catch(undefined),
  type: z.string().nullish().catch(undefined),
});

/** The service's own words, without what is around them. */
const refusalSchema = z.object({ error: serviceErrorSchema });

async function readRefusal({ status, retryAfter, chunks }: Answered): Promise<StatusError> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    pieces.push(chunk);
    bytes += chunk.length;
    if (bytes > maxRefusalBytes) break;
  }
  const text = Buffer.concat(pieces).toString('utf8');
  const { message, code } = refusalSchema.safeParse(parseJson(text)).data?.error ?? {};
  const words = message ?? (text.trim() || 'no reason given');
  return new StatusError(words, { status, retryAfter, ...(code && { code: String(code) }) });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
