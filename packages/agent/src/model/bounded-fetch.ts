/**
 * As much of `fetch` as the SDK needs, over node's own HTTP client: it takes a millisecond less per turn than the
 * built-in one, follows no redirect (the key would go along), and bounds what a response may bring.
 */
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

/** Several times what an answer may have: a stream whose lines never end would otherwise be held in memory whole. */
const maxResponseBytes = 32_000_000;

export function boundedFetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const url = new URL(input instanceof Request ? input.url : input);
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const headers = Object.fromEntries(new Headers(init.headers));
  const { method = 'GET', signal, body } = init;
  return new Promise((resolve, reject) => {
    const request = send(url, { method, headers, ...(signal && { signal }) }, (response) => {
      const { statusCode: status = 0 } = response;
      if (status >= 200 && status <= 599) return resolve(toResponse(response, status));
      // No `Response` can have it, and what is thrown in here nobody would catch.
      response.destroy();
      reject(new Error(`the service answered with status ${status}`));
    });
    request.on('error', reject);
    request.end(typeof body === 'string' ? body : undefined);
  });
}

const withoutBody = [204, 205, 304];

function toResponse(incoming: IncomingMessage, status: number): Response {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(incoming.headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  if (!withoutBody.includes(status)) return new Response(toStream(incoming), { status, headers });
  incoming.resume();
  return new Response(null, { status, headers });
}

/** Reads no faster than it is read from. */
function toStream(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  let bytes = 0;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        incoming.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > maxResponseBytes)
            incoming.destroy(new Error(`the response has more than ${maxResponseBytes} bytes`));
          else controller.enqueue(chunk);
          if ((controller.desiredSize ?? 0) <= 0) incoming.pause();
        });
        incoming.once('end', () => controller.close());
        incoming.once('error', (error) => controller.error(error));
      },
      pull: () => void incoming.resume(),
      cancel: () => void incoming.destroy(),
    },
    { highWaterMark: 16 },
  );
}
