/** The answer to a package manager's request. */
import type { Fetch, FetchAnswer, RegistryOrigins } from '@fettle/sandbox';
import type { CacheEntry } from './cache/disk-cache.ts';
import type { Resource, Route } from './ecosystems/ecosystem.ts';
import { rewriteBody } from './rewrite-body.ts';

/** `stale`: from the cache, because the registry is unavailable. `away`: the registry is unavailable. */
export type Source = 'cache' | 'registry' | 'stale' | 'refused' | 'away';
export interface Answer extends FetchAnswer {
  source: Source;
  reason?: string;
}

/** Answers with a cache entry, whose addresses are rewritten to the sandbox's own registry. */
export function answerFromEntry(
  { method, registry }: Fetch,
  { route, resource }: { route: Route; resource: Resource },
  { entry, source, origins }: { entry: CacheEntry; source: Source; origins: RegistryOrigins },
): Answer {
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

export function refuse(status: number, reason: string, source: Source = 'refused'): Answer {
  const body = Buffer.from(JSON.stringify({ error: `Fettle: ${reason}` }));
  const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
  return { status, headers, body: [body], source, reason };
}

/** Why an ecosystem has no registry. `names` are the ecosystems that have one. */
export function explainNoRegistry(names: string[], wanted: string): string {
  return names.length === 0
    ? 'FETTLE_REGISTRIES turns registries off, so packages cannot be installed'
    : `FETTLE_REGISTRIES has no registry for ${wanted}`;
}
