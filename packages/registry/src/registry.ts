/** Answers the requests of package managers in sandboxes from the cache, or from a registry that the operator allows. */
import type { Fetch, RegistryOrigins } from '@fettle/sandbox';
import { type Answer, answerFromEntry, explainNoRegistry, refuse, type Source } from './answer.ts';
import { type ByteBudget, createByteBudget } from './byte-budget.ts';
import type { CacheEntry, DiskCache } from './cache/disk-cache.ts';
import { withoutMarker } from './clients/lockfile-addresses.ts';
import type { Resource, Route } from './ecosystems/ecosystem.ts';
import { findResource } from './ecosystems/find-resource.ts';
import {
  type DownloadLimits,
  defaultDownloadLimits,
  download,
  RegistryFailure,
} from './upstream/download.ts';
import { createHttpClient } from './upstream/http-client.ts';
import { retry } from './upstream/retry.ts';
import { addressOf, type Upstream } from './upstream/upstream.ts';

export interface RegistryOptions {
  /** The ecosystems that have a registry. Known before the addresses are. */
  names: string[];
  upstreams(): Promise<Upstream[]>;
  cache: DiskCache;
  /** HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in upper or lower case. */
  proxy?: Record<string, string>;
  limits?: DownloadLimits;
  /** How long an index is used without asking the registry again. */
  freshMs?: number;
}

/** Far more than an install needs. Bounds the downloads of a compromised sandbox. */
const maxWindowBytes = 8 * 1024 ** 3;

/** Lockfiles in memory at once, over all windows. Changing them takes a few times as much memory. */
const lockfileBytesAtOnce = 32_000_000;

/** The state of one install window. */
export interface WindowState {
  /** The addresses of the registries inside the sandbox. */
  origins: RegistryOrigins;
  /** Keys of the immutable cache entries that the window got. */
  served: Set<string>;
  /** How many more bytes this window may download. */
  bytesLeft: number;
}

export function createWindowState(origins: RegistryOrigins, bytesLeft = maxWindowBytes): WindowState {
  return { origins, served: new Set(), bytesLeft };
}

export interface Registry {
  names: string[];
  upstreams(): Promise<Upstream[]>;
  lockfileBudget: ByteBudget;
  answer(fetch: Fetch, window: WindowState, signal: AbortSignal): Promise<Answer>;
  /** Removes the packages of a window from the cache, because some of them are damaged. */
  distrust(window: WindowState): Promise<void>;
}

export function createRegistry(options: RegistryOptions): Registry {
  const { names, upstreams, cache, limits = defaultDownloadLimits, freshMs = 60_000 } = options;
  const send = createHttpClient(options.proxy ?? {});
  /** One download per resource at a time. Other requests for it wait, then use the cache. */
  const downloads = new Map<string, Promise<unknown>>();

  async function answer(fetch: Fetch, window: WindowState, signal: AbortSignal): Promise<Answer> {
    const upstream = (await upstreams()).find(({ ecosystem }) => ecosystem.name === fetch.registry);
    if (upstream === undefined) return refuse(403, explainNoRegistry(names, fetch.registry));
    const path = withoutPrefix(withoutMarker(fetch.path), upstream.registry.pathname);
    const found = findResource(upstream.ecosystem, { path, accept: fetch.accept });
    if (!found.ok) return refuse(403, found.reason);
    const { route, resource } = found;
    if (window.bytesLeft <= 0) return refuse(429, 'this install has reached its download limit');
    const address = addressOf(upstream, route, resource);
    const key = `${address.href} ${resource.accept ?? ''}`;
    const wanted: Wanted = { upstream, route, resource, address, key };
    for (let running = downloads.get(key); running !== undefined; running = downloads.get(key)) {
      await waitUntilSettled(running, signal);
    }
    const getting = get(wanted, signal);
    downloads.set(key, getting);
    try {
      const { entry, source } = await getting;
      window.bytesLeft -= entry.bodyBytes;
      if (route.keep === 'forever' && fetch.method === 'GET') window.served.add(key);
      return answerFromEntry(fetch, wanted, { entry, source, origins: window.origins });
    } catch (error) {
      if (error instanceof Refused) return refuse(error.status, error.message);
      if (error instanceof RegistryFailure) return refuse(502, error.message, 'away');
      throw error;
    } finally {
      downloads.delete(key);
    }
  }

  async function get(wanted: Wanted, signal: AbortSignal): Promise<Got> {
    const { key, route } = wanted;
    const known = await cache.find(key);
    if (known !== undefined && isFresh(known, route)) return { entry: known, source: 'cache' };
    try {
      return await retry(limits.retries, signal, () => getFromRegistry(wanted, known, signal));
    } catch (error) {
      if (!(error instanceof RegistryFailure) || known === undefined) throw error;
      return { entry: known, source: 'stale' };
    }
  }

  function isFresh({ checkedAtMs }: CacheEntry, { keep }: Route): boolean {
    const age = Date.now() - checkedAtMs;
    return keep === 'forever' || (age >= 0 && age < freshMs);
  }

  async function getFromRegistry(
    { upstream, route, resource, address, key }: Wanted,
    known: CacheEntry | undefined,
    signal: AbortSignal,
  ): Promise<Got> {
    const { accept } = resource;
    const { maxBytes } = route;
    const got = await download({
      send,
      upstream,
      address,
      accept,
      etag: known?.etag,
      maxBytes,
      limits,
      signal,
    });
    if (got.kind === 'refused') throw new Refused(got.status, `${address.host} has no ${resource.path}`);
    if (got.kind === 'body') return { entry: await cache.store(key, got.body, got.etag), source: 'registry' };
    if (known === undefined)
      throw new RegistryFailure(`${address.host} responds with 304 to a request without an etag`);
    await cache.confirm(key);
    return { entry: known, source: 'cache' };
  }

  async function distrust({ served }: WindowState): Promise<void> {
    for (const key of served) await cache.remove(key);
  }

  return {
    names,
    upstreams,
    lockfileBudget: createByteBudget(lockfileBytesAtOnce),
    answer,
    distrust,
  };
}

interface Wanted {
  upstream: Upstream;
  route: Route;
  resource: Resource;
  address: URL;
  key: string;
}

interface Got {
  entry: CacheEntry;
  source: Source;
}

class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A lockfile may contain the full path of a registry that is not at the root of its host. npm keeps that path. */
function withoutPrefix(path: string, prefix: string): string {
  return path.startsWith(prefix) ? path.slice(prefix.length - 1) : path;
}

/** Waits until a promise settles. Throws when the signal aborts first. */
async function waitUntilSettled(promise: Promise<unknown>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve) => {
    const end = (): void => {
      signal.removeEventListener('abort', end);
      resolve();
    };
    signal.addEventListener('abort', end);
    promise.then(end, end);
  });
  signal.throwIfAborted();
}
