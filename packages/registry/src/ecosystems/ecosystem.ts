// What may be asked of a registry, as data: one entry for each ecosystem. A path is taken apart by the one route that
// knows it, and the address to fetch is built anew from the parts, so that nothing of the path itself gets through.

export interface Resource {
  /** Relative to the address of the registry, or of the host of its files. */
  path: string;
  /** What is asked for, where the registry has it in several forms. */
  accept?: string;
  /** What the addresses in it are about, for `rewrite`. */
  name?: string;
}

export interface Route {
  name: string;
  /** Applied to the path with every part decoded; `parts` are its groups. */
  pattern: RegExp;
  resource(parts: string[], accept: string): Resource;
  /** `forever`: what once was published under an address stays the same. `revalidate`: asked again when it is old. */
  keep: 'forever' | 'revalidate';
  maxBytes: number;
  contentType: string;
  /** Points the addresses in the text to the sandbox's own registry. */
  rewrite?: Rewrite;
  /** Served by the host of the registry's files, where that is another one. */
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
  /** The public registry, where the owner names no other. */
  publicRegistry: string;
  publicFiles?: string;
  /** Where these may send a request on to. */
  redirectsTo: string[];
  routes: Route[];
  /** Whether package managers find it by the environment that a sandbox gives them. */
  offered: boolean;
}

const KB = 1024;
const MB = 1024 * KB;
export const SIZES = { page: 2 * MB, index: 64 * MB, archive: 512 * MB } as const;
