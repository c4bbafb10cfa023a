import type { Ecosystem, Resource, Route } from './ecosystem.ts';

export type FoundResource = { ok: true; route: Route; resource: Resource } | { ok: false; reason: string };

/** Parses a path, if a route of this ecosystem matches it. The path comes from the sandbox and is not trusted. */
export function findResource(
  ecosystem: Ecosystem,
  { path, accept }: { path: string; accept: string },
): FoundResource {
  const decoded = decodePath(path);
  if (decoded === undefined) return { ok: false, reason: 'the path is not a valid path of a registry' };
  for (const route of ecosystem.routes) {
    const groups = route.pattern.exec(decoded);
    if (groups) return { ok: true, route, resource: route.resource(groups.slice(1), accept) };
  }
  const known = ecosystem.routes.map(({ name }) => name).join(', ');
  return { ok: false, reason: `${ecosystem.name} offers only these resources: ${known}` };
}

/** Decodes once. Allows an encoded slash only between an npm scope and a name. */
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
