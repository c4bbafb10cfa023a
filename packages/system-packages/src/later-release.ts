// Packages of a later release of Debian, from the mirror that the system's own packages come from: whoever runs
// the machine has chosen that mirror, and it is reached where others are not.
import { existsSync } from 'node:fs';

/** Debian's own keys, which sign every release; without the file, apt trusts what the system trusts. */
const keyrings = [
  '/usr/share/keyrings/debian-archive-keyring.gpg',
  '/usr/share/keyrings/debian-archive-keyring.pgp',
];

/** With this, apt-get prints the addresses that it is set up with, one a line, without asking them. */
export const listMirrors = ['indextargets', '--no-release-info', '--format', '$(REPO_URI)'];

/** A line of sources.list; undefined where the system has no mirror of Debian. */
export function composeSource(addresses: string, release: string): string | undefined {
  const mirror = addresses.split('\n').find((address) => /^[a-z+]+:\/\/\S+\/debian\/?$/.test(address));
  if (mirror === undefined) return undefined;
  const keyring = keyrings.find((file) => existsSync(file));
  const options = keyring === undefined ? '' : `[signed-by=${keyring}] `;
  return `deb ${options}${mirror} ${release} main\n`;
}
