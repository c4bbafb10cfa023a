/** GET requests to registries, through the proxy of the environment. Node's `fetch` cannot be given a proxy. */
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';

export interface HttpResponse {
  status: number;
  header(name: 'etag' | 'location'): string | undefined;
  /** Decoded. Ends early when the reader stops. */
  body(): AsyncIterable<Uint8Array>;
  /** Closes the connection of a response whose body is not read. */
  discard(): void;
}

export type HttpClient = (
  address: URL,
  options: { headers: Record<string, string>; signal: AbortSignal },
) => Promise<HttpResponse>;

const decoders: Record<string, () => NodeJS.ReadWriteStream> = {
  gzip: createGunzip,
  br: createBrotliDecompress,
};

/** `proxy` holds HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in upper or lower case. */
export function createHttpClient(proxy: Record<string, string>): HttpClient {
  const options = { keepAlive: true, proxyEnv: proxy };
  const agents = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) };
  return (address, { headers, signal }) => {
    const { request } = address.protocol === 'https:' ? https : http;
    const agent = agents[address.protocol as keyof typeof agents];
    const allHeaders = { 'accept-encoding': Object.keys(decoders).join(', '), ...headers };
    return new Promise((resolve, reject) => {
      request(address, { agent, headers: allHeaders, signal })
        .on('response', (response) => resolve(toResponse(response)))
        .on('error', reject)
        .end();
    });
  };
}

function toResponse(response: IncomingMessage): HttpResponse {
  // The reader of the body gets the error. A discarded response has no reader.
  response.on('error', () => {});
  return {
    status: response.statusCode ?? 0,
    header: (name) => response.headers[name],
    body() {
      const decoder = decoders[response.headers['content-encoding'] ?? '']?.();
      if (decoder === undefined) return response;
      return pipeline(response, decoder, () => {}) as unknown as Readable;
    },
    discard: () => void response.destroy(),
  };
}
