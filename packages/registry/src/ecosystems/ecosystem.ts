/**
 * The allowed requests to a registry, as data. One route parses a path, and the address to fetch is built from the
 * parsed parts, so that the path itself never reaches the registry.
 */

export interface Resource {
  /** Relative to the address of the registry, or to that of its file host. */
  path: string;
  /** The Accept header, where the registry has several formats. */
  accept?: string;
  /** The name of the package, for `rewrite`. */
  name?: string;
}

export interface Route {
  name: string;
  /** Applied to the decoded path. Its groups are the `parts`. */
  pattern: RegExp;
  resource(parts: string[], accept: string): Resource;
  /** `forever`: the content of an address never changes. `revalidate`: the registry is asked again after a while. */
  keep: 'forever' | 'revalidate';
  maxBytes: number;
  contentType: string;
  /** Rewrites the addresses in the response to the sandbox's own registry. */
  rewrite?: Rewrite;
  /** Served by the registry's file host, if that is a separate host. */
  fromFiles?: true;
  /** Checked by the tests. */
  match: string[];
  notMatch: string[];
}

export interface Rewrite {
  pattern: RegExp;
  replace(groups: string[], place: { base: string; name: string }): string;
}

export interface Ecosystem {
  name: string;
  /** The public registry, unless the operator sets another one. */
  publicRegistry: string;
  publicFiles?: string;
  /** The hosts to which the public registry may redirect. */
  redirectsTo: string[];
  routes: Route[];
  /** Whether environment variables can point package managers to it. */
  offered: boolean;
}

const MB = 1024 * 1024;
export const maxSizes = { page: 2 * MB, index: 64 * MB, archive: 512 * MB } as const;
