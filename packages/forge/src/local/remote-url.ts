import { FettleError } from '@fettle/contract';

/** The hosts that the operator allows, by origin (`https://git.example.com`), each with its token if it has one. */
export type GitHosts = ReadonlyMap<string, string | undefined>;

/** The address as git gets it; undefined where the words are no address of another machine at all. */
export function remoteUrl(words: string, hosts: GitHosts): URL | undefined {
  if (/^ssh:\/\/|^[\w.-]+@[\w.-]+:/i.test(words))
    throw refused('an ssh address needs a key, which no worker has: give the https address');
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(words) || /^file:/i.test(words)) return undefined;
  const url = URL.parse(words);
  // It may hold a password, which no message repeats.
  if (!url) throw new FettleError('bad_request', 'the address cannot be read', 'repository');
  if (url.username !== '' || url.password !== '')
    throw new FettleError('bad_request', 'the address holds credentials: leave them out', 'repository');
  if (!hosts.has(url.origin))
    throw refused(`${url.protocol}//${url.host} is not one of the git hosts that are allowed here`);
  if (/[?#]/.test(words) || remoteName(url) === '') throw refused('the address does not name a repository');
  return url;
}

/** `owner/name`, or as much of it as there is. */
export function remoteName(url: URL): string {
  const parts = url.pathname.split('/').filter(Boolean);
  return parts
    .slice(-2)
    .join('/')
    .replace(/\.git$/, '');
}

function refused(message: string): FettleError {
  return new FettleError('unsupported_repository', message, 'repository');
}
