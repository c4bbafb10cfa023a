import type { Ecosystem, Resource, Route } from '../ecosystems/ecosystem.ts';

/** A registry that the operator allows. */
export interface Upstream {
  ecosystem: Ecosystem;
  /** Ends in a slash. */
  registry: URL;
  files: URL;
  /** Origins to which the registry may redirect. */
  redirectsTo: string[];
  /** Secret. Sent only to addresses below `registry`. */
  token: string | undefined;
}

export interface UpstreamOptions {
  ecosystem: Ecosystem;
  /** The registry, its file host, and further hosts to which it may redirect. */
  addresses: string[];
  token?: string | undefined;
}

export function createUpstream({ ecosystem, addresses, token }: UpstreamOptions): Upstream {
  const [registry = ecosystem.publicRegistry, ...others] = addresses;
  const isPublic = withSlash(registry).href === ecosystem.publicRegistry;
  const files = others[0] ?? (isPublic ? ecosystem.publicFiles : undefined) ?? registry;
  const redirects = [registry, files, ...others, ...(isPublic ? ecosystem.redirectsTo : [])];
  return {
    ecosystem,
    registry: withSlash(registry),
    files: withSlash(files),
    redirectsTo: [...new Set(redirects.map((address) => new URL(address).origin))],
    token,
  };
}

export function addressOf({ registry, files }: Upstream, route: Route, { path }: Resource): URL {
  const base = route.fromFiles ? files : registry;
  const address = new URL(path, base);
  // No route can cause this. All other checks depend on it.
  if (!address.href.startsWith(base.href)) throw new Error('a route leads out of its registry');
  return address;
}

/** Whether an address is below the base, which ends in a slash, for every way in which servers decode paths. */
export function isBelow(base: URL, { origin, pathname }: URL): boolean {
  const climbs = /(^|\/|\\|%2f|%5c)(\.|%2e){2}($|\/|\\|;|%2f|%5c|%3b)/i;
  return origin === base.origin && pathname.startsWith(base.pathname) && !climbs.test(pathname);
}

function withSlash(address: string): URL {
  return new URL(address.endsWith('/') ? address : `${address}/`);
}
