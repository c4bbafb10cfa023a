// Answers what package managers in sandboxes ask for: from the cache, else from a registry that the owner allows.
import type { Fetch, RegistryOrigins } from '@fettle/sandbox';
import { type Answered, giveOut, refuse, type Source, whyNone } from './answered.ts';
import { type ByteBudget, createByteBudget } from './byte-budget.ts';
import type { CacheEntry, DiskCache } from './cache/disk-cache.ts';
import { withoutMark } from './clients/lockfile-addresses.ts';
import type { Resource, Route } from './ecosystems/ecosystem.ts';
import { findResource } from './ecosystems/find-resource.ts';
import { type DownloadLimits, defaultDownloadLimits, download, RegistryAway } from './upstream/download.ts';
import { createHttpClient } from './upstream/http-client.ts';
import { retry } from './upstream/retry.ts';
import { addressOf, type Upstream } from './upstream/upstream.ts';
import { waitUnlessAborted } from './wait-unless-aborted.ts';

export interface RegistryOptions {
  /** Of what there is a registry, which is known before their addresses are. */
  names: string[];
  upstreams(): Promise<Upstream[]>;
  cache: DiskCache;
  /** HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in upper or lower case. */
  proxy?: Record<string, string>;
  limits?: DownloadLimits;
  /** How long an index is good without asking the registry again. */
  freshMs?: number;
}

/** Far more than an install takes; it bounds what a sandbox that was taken over can have fetched. */
const WINDOW_BYTES = 8 * 1024 ** 3;

/** Of lockfiles, at any time, by all windows together; a few times as much is needed to change them. */
const LOCKFILE_BYTES_AT_ONCE = 32_000_000;

/** For one window: its own addresses, and what it has asked for. */
export interface FetchPlace {
  /** Where the sandbox finds its registries. */
  origins: RegistryOrigins;
  /** Keys of what was given out and never changes. */
  givenOut: Set<string>;
  /** How much more may go through this window. */
  bytesLeft: number;
}

export function createFetchPlace(origins: RegistryOrigins, bytesLeft = WINDOW_BYTES): FetchPlace {
  return { origins, givenOut: new Set(), bytesLeft };
}

export interface Registry {
  names: string[];
  upstreams(): Promise<Upstream[]>;
  lockfileBudget: ByteBudget;
  answer(fetch: Fetch, place: FetchPlace, signal: AbortSignal): Promise<Answered>;
  /** Fetches anew, the next time, what a window got: some of it was not what it should be. */
  distrust(place: FetchPlace): Promise<void>;
}

export function createRegistry(options: RegistryOptions): Registry {
  const { names, upstreams, cache, limits = defaultDownloadLimits, freshMs = 60_000 } = options;
  const send = createHttpClient(options.proxy ?? {});
  /** One download of a thing at a time: others that want it wait, and find it in the cache. */
  const underWay = new Map<string, Promise<unknown>>();

  async function answer(fetch: Fetch, place: FetchPlace, signal: AbortSignal): Promise<Answered> {
    const upstream = (await upstreams()).find(({ ecosystem }) => ecosystem.name === fetch.registry);
    if (upstream === undefined) return refuse(403, whyNone(names, fetch.registry));
    const path = withoutPrefix(withoutMark(fetch.path), upstream.registry.pathname);
    const found = findResource(upstream.ecosystem, { path, accept: fetch.accept });
    if (!found.ok) return refuse(403, found.reason);
    const { route, resource } = found;
    if (place.bytesLeft <= 0) return refuse(429, 'this window has had all the bytes that it may have');
    const address = addressOf(upstream, route, resource);
    const key = `${address.href} ${resource.accept ?? ''}`;
    const wanted: Wanted = { upstream, route, resource, address, key };
    for (let theirs = underWay.get(key); theirs !== undefined; theirs = underWay.get(key)) {
      await waitUnlessAborted(theirs, signal);
    }
    const getting = get(wanted, signal);
    underWay.set(key, getting);
    try {
      const { entry, source } = await getting;
      place.bytesLeft -= entry.bodyBytes;
      if (route.keep === 'forever' && fetch.method === 'GET') place.givenOut.add(key);
      return giveOut(fetch, wanted, { entry, source, origins: place.origins });
    } catch (error) {
      if (error instanceof Refused) return refuse(error.status, error.message);
      if (error instanceof RegistryAway) return refuse(502, error.message, 'away');
      throw error;
    } finally {
      underWay.delete(key);
    }
  }

  async function get(wanted: Wanted, signal: AbortSignal): Promise<Got> {
    const { key, route } = wanted;
    const known = await cache.find(key);
    if (known !== undefined && isFresh(known, route)) return { entry: known, source: 'cache' };
    try {
      return await retry(limits.retries, signal, () => getFromRegistry(wanted, known, signal));
    } catch (error) {
      if (!(error instanceof RegistryAway) || known === undefined) throw error;
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
    if (known === undefined) throw new RegistryAway(`${address.host} says that nothing was unchanged`);
    await cache.confirm(key);
    return { entry: known, source: 'cache' };
  }

  async function distrust({ givenOut }: FetchPlace): Promise<void> {
    for (const key of givenOut) await cache.remove(key);
  }

  return {
    names,
    upstreams,
    lockfileBudget: createByteBudget(LOCKFILE_BYTES_AT_ONCE),
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

/** A lockfile may hold the whole path of a registry that is not at the root of its host; npm keeps it. */
function withoutPrefix(path: string, prefix: string): string {
  return path.startsWith(prefix) ? path.slice(prefix.length - 1) : path;
}
