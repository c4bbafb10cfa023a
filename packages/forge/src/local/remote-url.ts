import { FettleError } from '@fettle/contract';

/** The allowed git hosts by origin (`https://git.example.com`), each with its token if it has one. */
export type GitHosts = ReadonlyMap<string, string | undefined>;

/** The URL for git. Undefined if the input is not a URL of another machine. */
export function remoteUrl(input: string, hosts: GitHosts): URL | undefined {
  if (/^ssh:\/\/|^[\w.-]+@[\w.-]+:/i.test(input))
    throw refused('ssh addresses are not supported, because workers have no ssh key. Use the https address');
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(input) || /^file:/i.test(input)) return undefined;
  const url = URL.parse(input);
  // The message does not repeat the address, which may contain a password.
  if (!url) throw new FettleError('bad_request', 'the address is not a valid URL', 'repository');
  if (url.username !== '' || url.password !== '')
    throw new FettleError('bad_request', 'the address contains credentials. Remove them', 'repository');
  if (!hosts.has(url.origin)) throw refused(`${url.protocol}//${url.host} is not an allowed git host`);
  if (/[?#]/.test(input) || remoteName(url) === '') throw refused('the address does not name a repository');
  return url;
}

/** `owner/name`, or only the name for a shorter path. */
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
