/**
 * One POST over node's own HTTP client: it takes a millisecond less per turn than the built-in `fetch`, follows no
 * redirect (the key would go along), and bounds what a response may bring.
 */
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

/** Several times what an answer may have: a stream whose lines never end would otherwise be held in memory whole. */
const maxResponseBytes = 32_000_000;
/** How much of what is left is read so that the connection can serve the next request. */
const leftover = { bytes: 64_000, ms: 1_000 };

export interface Post {
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface Answered {
  status: number;
  retryAfter: string | undefined;
  /** Read no faster than it is taken. Who leaves it early leaves a connection that serves again, if there is little left. */
  chunks: AsyncIterable<Uint8Array>;
}

export function post({ url, headers, body }: Post, signal: AbortSignal): Promise<Answered> {
  const send = url.startsWith('https:') ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const request = send(url, { method: 'POST', headers, signal }, (response) => {
      // Whoever reads it hears of it; after that nobody does.
      response.on('error', () => {});
      const { statusCode: status = 0, headers: given } = response;
      if (status >= 200 && status <= 599)
        return resolve({ status, retryAfter: given['retry-after'], chunks: chunksOf(response) });
      // Such as a change of protocols, which nobody asked for.
      response.destroy();
      reject(new Error(`the service answered with status ${status}`));
    });
    request.on('error', reject);
    request.end(body);
  });
}

async function* chunksOf(incoming: IncomingMessage): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
      bytes += chunk.length;
      if (bytes > maxResponseBytes) throw new Error(`the response has more than ${maxResponseBytes} bytes`);
      yield chunk;
    }
  } finally {
    leave(incoming, bytes > maxResponseBytes ? 0 : leftover.bytes);
  }
}

/** Nobody waits for this: a stream that had said all is at its end, any other is cut off. */
function leave(incoming: IncomingMessage, bytesLeft: number): void {
  if (incoming.readableEnded || incoming.destroyed) return;
  let bytes = 0;
  const timer = setTimeout(() => incoming.destroy(), leftover.ms);
  incoming.once('close', () => clearTimeout(timer));
  incoming.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > bytesLeft) incoming.destroy();
  });
}
