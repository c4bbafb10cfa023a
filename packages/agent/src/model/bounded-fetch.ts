/** Several times what an answer may have: a stream whose lines never end would otherwise be held in memory whole. */
const maxResponseBytes = 32_000_000;

/** `fetch`, with a bound on what a response may bring. */
export async function boundedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  if (!response.body) return response;
  let bytes = 0;
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > maxResponseBytes)
        controller.error(new Error(`the response has more than ${maxResponseBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(bound), { status, statusText, headers });
}
