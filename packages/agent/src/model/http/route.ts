/** How requests reach the model's service: over kept connections, through a proxy if the settings name one. */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';

/** The usual environment variables. As in curl, the lower-case name wins. */
export type ProxySettings = {
  [Name in 'HTTP_PROXY' | 'HTTPS_PROXY' | 'NO_PROXY' | 'http_proxy' | 'https_proxy' | 'no_proxy']?:
    | string
    | undefined;
};

export interface Route {
  agent: HttpAgent;
  /** Names the proxy in an error that comes from it. */
  describeError(error: Error): Error;
}

/** The proxy refused the request or cannot be reached. */
export class ProxyError extends Error {
  override name = 'ProxyError';
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

/** For an unused connection, and for the answer of a proxy to CONNECT. */
const timeoutMs = 15_000;

export function createRoute(serviceUrl: string, settings: ProxySettings = {}): Route {
  const target = new URL(serviceUrl);
  const isHttps = target.protocol === 'https:';
  const proxy = findProxy(isHttps ? 'HTTPS_PROXY' : 'HTTP_PROXY', settings);
  const options = { keepAlive: true, scheduling: 'lifo' as const, timeout: timeoutMs, proxyEnv: settings };
  return {
    agent: isHttps ? new HttpsAgent(options) : new HttpAgent(options),
    describeError: (error) => (proxy ? describeProxyError(error, proxy, target) : error),
  };
}

interface Proxy {
  url: URL;
  variable: string;
}

function findProxy(name: 'HTTP_PROXY' | 'HTTPS_PROXY', settings: ProxySettings): Proxy | undefined {
  const lowerCase = name.toLowerCase() as 'http_proxy' | 'https_proxy';
  const variable = settings[lowerCase] ? lowerCase : name;
  const value = settings[variable];
  if (!value) return undefined;
  const url = URL.parse(value);
  // Node would ignore it and connect directly.
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Error(`${variable} must be a URL that starts with http:// or https://`);
  return { url, variable };
}

type NetworkError = Error & { code?: string; hostname?: string; port?: number; statusCode?: number };

/** Uses the origin of the proxy's URL, which has no credentials. */
function describeProxyError(error: NetworkError, { url, variable }: Proxy, target: URL): Error {
  const attempts: NetworkError[] = error instanceof AggregateError ? error.errors : [error];
  const concernsProxy =
    error instanceof ProxyError ||
    error.code === 'ERR_PROXY_TUNNEL' ||
    attempts.some(
      ({ hostname, port }) =>
        hostname === url.hostname || (port === portOf(url) && portOf(url) !== portOf(target)),
    );
  if (!concernsProxy) return error;
  const message = error.message || attempts.map((each) => each.message).join(', ');
  const status = error instanceof ProxyError ? error.status : error.statusCode;
  return new ProxyError(`the proxy ${url.origin} (${variable}) failed: ${message}`, status);
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}
