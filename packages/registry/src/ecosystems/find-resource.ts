import type { Ecosystem, Resource, Route } from './ecosystem.ts';

export type FoundResource = { ok: true; route: Route; resource: Resource } | { ok: false; reason: string };

/** What a path names, if this ecosystem knows such a thing. The path is the sandbox's word: nothing is taken on trust. */
export function findResource(
  ecosystem: Ecosystem,
  { path, accept }: { path: string; accept: string },
): FoundResource {
  const decoded = decodePath(path);
  if (decoded === undefined) return { ok: false, reason: 'the path is not spelled as a registry spells it' };
  for (const route of ecosystem.routes) {
    const groups = route.pattern.exec(decoded);
    if (groups) return { ok: true, route, resource: route.resource(groups.slice(1), accept) };
  }
  const known = ecosystem.routes.map(({ name }) => name).join(', ');
  return { ok: false, reason: `only these can be had from ${ecosystem.name}: ${known}` };
}

/** Decoded once. An encoded slash stands only where npm needs it, between a scope and its name. */
function decodePath(path: string): string | undefined {
  if (!/^\/[A-Za-z0-9._~!$&'()*+,;=:@%/-]*$/.test(path)) return undefined;
  const scoped = path.replace(/^\/@([A-Za-z0-9._~-]+)%2f/i, '/@$1/');
  if (/%2f|%5c/i.test(scoped)) return undefined;
  try {
    const decoded = decodeURIComponent(scoped);
    const parts = decoded.split('/').slice(1);
    return parts.some((part) => part === '.' || part === '..') ? undefined : decoded;
  } catch {
    return undefined;
  }
}
