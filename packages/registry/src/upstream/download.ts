/**
 * One request to a registry: redirects only to hosts that the operator allows, the token only to the registry itself,
 * time and size limited.
 */
import type { Backoff } from '@fettle/backoff';
import type { HttpClient, HttpResponse } from './http-client.ts';
import { isBelow, type Upstream } from './upstream.ts';

export interface DownloadOptions {
  send: HttpClient;
  upstream: Upstream;
  address: URL;
  accept: string | undefined;
  etag: string | undefined;
  maxBytes: number;
  limits: DownloadLimits;
  signal: AbortSignal;
}

export interface DownloadLimits {
  /** Until the headers arrive, and between two chunks of the body. */
  silenceMs: number;
  /** For one whole response. A slow but endless response would block all requests for the same resource. */
  wholeMs: number;
  retries: Backoff & { most: number };
}

export const defaultDownloadLimits: DownloadLimits = {
  silenceMs: 30_000,
  wholeMs: 600_000,
  retries: { most: 3, firstMs: 600, longestMs: 3_000 },
};

export type Download =
  | { kind: 'body'; body: AsyncIterable<Uint8Array>; etag: string | undefined }
  | { kind: 'unchanged' }
  /** Not found, or not allowed. */
  | { kind: 'refused'; status: number };

/** The registry could not be reached, or its response is invalid. */
export class RegistryFailure extends Error {
  override name = 'RegistryFailure';
}

/** A retry would fail in the same way. */
export class PermanentRegistryFailure extends RegistryFailure {}

const maxRedirects = 3;

export async function download(options: DownloadOptions): Promise<Download> {
  let address = options.address;
  for (let hops = 0; hops <= maxRedirects; hops++) {
    const silence = createSilenceLimit(options.limits.silenceMs, options.signal);
    const headers = buildHeaders(options, address);
    const response = await options
      .send(address, { headers, signal: silence.signal })
      .catch((error: unknown) => {
        silence.end();
        options.signal.throwIfAborted();
        throw new RegistryFailure(`${address.host} does not respond`, { cause: error });
      });
    const next = findRedirect(options.upstream, address, response);
    if (next === undefined) return readResponse(response, options, silence);
    silence.end();
    response.discard();
    address = next;
  }
  throw new PermanentRegistryFailure(`${options.address.host} redirects more than ${maxRedirects} times`);
}

/** Contains nothing that the sandbox sent. */
function buildHeaders({ upstream, accept, etag }: DownloadOptions, address: URL): Record<string, string> {
  const isOwnRegistry = isBelow(upstream.registry, address);
  return {
    'user-agent': 'fettle',
    ...(accept !== undefined && { accept }),
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(isOwnRegistry && upstream.token !== undefined && { authorization: `Bearer ${upstream.token}` }),
  };
}

function findRedirect({ redirectsTo }: Upstream, from: URL, response: HttpResponse): URL | undefined {
  const location = response.header('location');
  if (![301, 302, 303, 307, 308].includes(response.status) || location === undefined) return undefined;
  const to = URL.parse(location, from.href);
  if (to === null || to.username !== '' || !redirectsTo.includes(to.origin)) {
    throw new PermanentRegistryFailure(`${from.host} redirects to a host that is not allowed`);
  }
  return to;
}

function readResponse(
  response: HttpResponse,
  { address, etag, maxBytes, limits }: DownloadOptions,
  silence: SilenceLimit,
): Download {
  if (response.status === 200) {
    const { wholeMs } = limits;
    const body = boundBody(response, { address, maxBytes, wholeMs, silence });
    return { kind: 'body', body, etag: response.header('etag')?.slice(0, 500) };
  }
  silence.end();
  response.discard();
  if (response.status === 304 && etag !== undefined) return { kind: 'unchanged' };
  if (response.status === 407)
    throw new PermanentRegistryFailure(`the proxy refuses to connect to ${address.host}`);
  const isRefused = response.status >= 400 && response.status < 500;
  if (isRefused && response.status !== 429 && response.status !== 408) {
    return { kind: 'refused', status: response.status };
  }
  throw new RegistryFailure(`${address.host} responds with status ${response.status}`);
}

interface BodyBounds {
  address: URL;
  maxBytes: number;
  wholeMs: number;
  silence: SilenceLimit;
}

async function* boundBody(
  response: HttpResponse,
  { address, maxBytes, wholeMs, silence }: BodyBounds,
): AsyncGenerator<Uint8Array> {
  const started = performance.now();
  let received = 0;
  try {
    for await (const chunk of response.body()) {
      silence.reset();
      received += chunk.length;
      if (received > maxBytes)
        throw new PermanentRegistryFailure(`${address.host} sends more than ${maxBytes} bytes`);
      if (performance.now() - started > wholeMs)
        throw new PermanentRegistryFailure(`${address.host} is too slow`);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof RegistryFailure) throw error;
    throw new RegistryFailure(`${address.host} closed the connection early`, { cause: error });
  } finally {
    silence.end();
  }
}

type SilenceLimit = ReturnType<typeof createSilenceLimit>;

function createSilenceLimit(silenceMs: number, outer: AbortSignal) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new Error(`silent for ${silenceMs} ms`)), silenceMs);
  return {
    signal: AbortSignal.any([controller.signal, outer]),
    reset: () => void timer.refresh(),
    end: () => clearTimeout(timer),
  };
}
