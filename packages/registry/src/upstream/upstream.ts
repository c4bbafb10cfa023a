import type { Ecosystem, Resource, Route } from '../ecosystems/ecosystem.ts';

/** A registry that the owner allows, with everything that may be asked of it. */
export interface Upstream {
  ecosystem: Ecosystem;
  /** Ends in a slash. */
  registry: URL;
  files: URL;
  /** Origins to which a request may be sent on. */
  redirectsTo: string[];
  /** Secret; for what lies below `registry` alone. */
  token: string | undefined;
}

export interface UpstreamOptions {
  ecosystem: Ecosystem;
  /** The registry, the host of its files, and further hosts that it may send a request on to. */
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
  // Cannot happen with the routes that there are; it is what everything else rests on.
  if (!address.href.startsWith(base.href)) throw new Error('a route led out of its registry');
  return address;
}

/** Whether an address lies below another, which ends in a slash, however a server may read it. */
export function isBelow(base: URL, { origin, pathname }: URL): boolean {
  const climbs = /(^|\/|\\|%2f|%5c)(\.|%2e){2}($|\/|\\|;|%2f|%5c|%3b)/i;
  return origin === base.origin && pathname.startsWith(base.pathname) && !climbs.test(pathname);
}

function withSlash(address: string): URL {
  return new URL(address.endsWith('/') ? address : `${address}/`);
}
