/** What of a setting is secret by itself, and must not get out where the rest may. */

/** The password of an address, as it is written there and as it is meant. */
export function listUrlSecrets(address: string | undefined): string[] {
  const [, password] = /^[a-z][a-z0-9+.-]*:\/\/[^/@\s]*?:([^/\s]+)@/i.exec(address ?? '') ?? [];
  if (password === undefined) return [];
  try {
    return [...new Set([password, decodeURIComponent(password)])];
  } catch {
    return [password];
  }
}

/** The values of `name=value,name=value`. */
export function listPairSecrets(pairs: string | undefined): string[] {
  return (pairs ?? '')
    .split(',')
    .map((pair) => pair.slice(pair.indexOf('=') + 1).trim())
    .filter((value) => value !== '');
}
