/** Packages of a later Debian release, from the mirror of the system: the operator chose it, and it is reachable. */
import { existsSync } from 'node:fs';

/** The keys of Debian, which sign every release. Without this file, apt uses the keys that the system trusts. */
const keyrings = [
  '/usr/share/keyrings/debian-archive-keyring.gpg',
  '/usr/share/keyrings/debian-archive-keyring.pgp',
];

/** Makes apt-get print the URLs of its package sources, one per line, without contacting them. */
export const listMirrors = ['indextargets', '--no-release-info', '--format', '$(REPO_URI)'];

/** Returns a line for sources.list. Undefined if the system has no Debian mirror. */
export function composeSource(urls: string, release: string): string | undefined {
  const mirror = urls.split('\n').find((url) => /^[a-z+]+:\/\/\S+\/debian\/?$/.test(url));
  if (mirror === undefined) return undefined;
  const keyring = keyrings.find((file) => existsSync(file));
  const options = keyring === undefined ? '' : `[signed-by=${keyring}] `;
  return `deb ${options}${mirror} ${release} main\n`;
}
