/** Where a package comes from, by what a manifest or a lockfile says of it. */
import { posix } from 'node:path';

/** Whoever publishes there can be looked up, and what is published cannot be changed. */
const publicRegistries = [
  'https://registry.npmjs.org',
  'https://registry.yarnpkg.com',
  'https://npm.jsr.io',
  'https://pypi.org',
  'https://files.pythonhosted.org',
  'https://index.crates.io',
  'https://static.crates.io',
  'https://rubygems.org',
  'https://proxy.golang.org',
];

export function isRegistry(address: string, registries: readonly string[] = []): boolean {
  const url = URL.parse(address);
  if (url?.username !== '' || url.password !== '') return false;
  return [...publicRegistries, ...registries].some((known) => URL.parse(known)?.origin === url.origin);
}

/** A range of versions, a tag, or an alias of another package of the registry. */
const ofRegistry = /^(npm:(@[\w.~-]+\/)?[\w.~-]+(@|$)|jsr:(@|[\d^~*]))?[\w.~^<>=|*+, -]*$/i;
const ofWorkspace = /^(workspace:|catalog:|\$)/;

/** Whether what a package.json in `folder` says of a dependency names a registry or a place in the repository. */
export function isKnownSource(spec: string, folder: string): boolean {
  if (ofRegistry.test(spec) || ofWorkspace.test(spec)) return true;
  // Patches of Yarn are files of the repository, for a package that is named in them.
  if (/^patch:[@\w.~/-]+@npm(%3A|:)[^#:]*#[^:]*$/i.test(spec)) return true;
  const [, scheme, place = ''] = /^(file:|link:|portal:)?(.*)$/s.exec(spec) ?? [];
  // Without a scheme, what looks like a folder is a repository of a git host.
  if (scheme === undefined && !/^\.{1,2}(\/|$)/.test(place)) return false;
  return isInside(place, folder);
}

export function isInside(place: string, folder: string): boolean {
  if (/^[/\\~]|:|%|\\/.test(place)) return false;
  const path = posix.join(folder, place);
  return path !== '..' && !path.startsWith('../');
}
