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
  /** Until the headers are there, and between two pieces of the body. */
  silenceMs: number;
  /** For all of one answer: a registry that never stops and never is silent holds up whoever wants the same. */
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
  /** The registry does not have it, or does not let us. */
  | { kind: 'refused'; status: number };

/** The registry cannot be reached, or does not behave. */
export class RegistryAway extends Error {
  override name = 'RegistryAway';
}

/** It would do the same again. */
export class RegistryUnfit extends RegistryAway {}

const MAX_REDIRECTS = 3;

export async function download(options: DownloadOptions): Promise<Download> {
  let address = options.address;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const silence = createSilenceLimit(options.limits.silenceMs, options.signal);
    const headers = buildHeaders(options, address);
    const response = await options
      .send(address, { headers, signal: silence.signal })
      .catch((error: unknown) => {
        silence.end();
        options.signal.throwIfAborted();
        throw new RegistryAway(`${address.host} does not answer`, { cause: error });
      });
    const next = findRedirect(options.upstream, address, response);
    if (next === undefined) return readResponse(response, options, silence);
    silence.end();
    response.discard();
    address = next;
  }
  throw new RegistryUnfit(`${options.address.host} redirects without end`);
}

/** Nothing of what the sandbox sent is among them. */
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
    throw new RegistryUnfit(`${from.host} sends requests on to a host that is not allowed`);
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
  if (response.status === 407) throw new RegistryUnfit(`the proxy refuses to connect to ${address.host}`);
  const isRefused = response.status >= 400 && response.status < 500;
  if (isRefused && response.status !== 429 && response.status !== 408) {
    return { kind: 'refused', status: response.status };
  }
  throw new RegistryAway(`${address.host} answers with status ${response.status}`);
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
      silence.heard();
      received += chunk.length;
      if (received > maxBytes) throw new RegistryUnfit(`${address.host} sends more than ${maxBytes} bytes`);
      if (performance.now() - started > wholeMs) throw new RegistryUnfit(`${address.host} is too slow`);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof RegistryAway) throw error;
    throw new RegistryAway(`${address.host} broke off`, { cause: error });
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
    heard: () => void timer.refresh(),
    end: () => clearTimeout(timer),
  };
}
