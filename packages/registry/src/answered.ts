import type { Fetch, FetchAnswer, RegistryOrigins } from '@fettle/sandbox';
import type { CacheEntry } from './cache/disk-cache.ts';
import type { Resource, Route } from './ecosystems/ecosystem.ts';
import { rewriteBody } from './rewrite-body.ts';

export type Source = 'cache' | 'registry' | 'stale' | 'refused' | 'away';
export interface Answered extends FetchAnswer {
  source: Source;
  reason?: string;
}

/** What is in the cache, as a package manager of this sandbox gets it. */
export function giveOut(
  { method, registry }: Fetch,
  { route, resource }: { route: Route; resource: Resource },
  { entry, source, origins }: { entry: CacheEntry; source: Source; origins: RegistryOrigins },
): Answered {
  const { rewrite } = route;
  const base = `${origins[registry]}/`;
  const headers = {
    'content-type': route.contentType,
    ...(rewrite === undefined && { 'content-length': String(entry.bodyBytes) }),
  };
  if (method === 'HEAD') return { status: 200, headers, source };
  const body = rewrite
    ? rewriteBody(entry.body(), rewrite, { base, name: resource.name ?? '' })
    : entry.body();
  return { status: 200, headers, body, source };
}

export function refuse(status: number, reason: string, source: Source = 'refused'): Answered {
  const body = Buffer.from(JSON.stringify({ error: `Fettle: ${reason}` }));
  const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
  return { status, headers, body: [body], source, reason };
}

/** What is said where the operator allows no registry for something. */
export function whyNone(names: string[], wanted: string): string {
  return names.length === 0
    ? 'registries are off by FETTLE_REGISTRIES: nothing can be installed here'
    : `FETTLE_REGISTRIES names no registry for ${wanted}`;
}
