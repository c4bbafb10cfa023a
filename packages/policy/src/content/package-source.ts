/** Classifies where a package comes from, according to a manifest or a lockfile. */
import { posix } from 'node:path';

/** Public registries: publishers are identifiable, and published versions are immutable. */
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

/** A version range, a tag, or an alias of another package in the registry. */
const ofRegistry = /^(npm:(@[\w.~-]+\/)?[\w.~-]+(@|$)|jsr:(@|[\d^~*]))?[\w.~^<>=|*+, -]*$/i;
const ofWorkspace = /^(workspace:|catalog:|\$)/;

/** Whether a dependency of the package.json in `folder` comes from a registry or from inside the repository. */
export function isKnownSource(spec: string, folder: string): boolean {
  if (ofRegistry.test(spec) || ofWorkspace.test(spec)) return true;
  // Yarn patches are files in the repository that name the package they apply to.
  if (/^patch:[@\w.~/-]+@npm(%3A|:)[^#:]*#[^:]*$/i.test(spec)) return true;
  const [, scheme, place = ''] = /^(file:|link:|portal:)?(.*)$/s.exec(spec) ?? [];
  // Without a scheme, `owner/name` is a repository on a git host.
  if (scheme === undefined && !/^\.{1,2}(\/|$)/.test(place)) return false;
  return isInside(place, folder);
}

export function isInside(place: string, folder: string): boolean {
  if (/^[/\\~]|:|%|\\/.test(place)) return false;
  const path = posix.join(folder, place);
  return path !== '..' && !path.startsWith('../');
}
