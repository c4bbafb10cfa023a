/** Finds the parts of a setting that are secret, so that they can be redacted. */

/** The password of a URL, as written and percent-decoded. */
export function listUrlSecrets(url: string | undefined): string[] {
  const [, password] = /^[a-z][a-z0-9+.-]*:\/\/[^/@\s]*?:([^/\s]+)@/i.exec(url ?? '') ?? [];
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
