/** Finds the parts of a setting that are secret, so that they can be redacted. */

/** Shorter parts of a malformed password would hide too much of an error. */
const shortestPart = 4;

/**
 * The password of a URL, as written and percent-decoded. If it contains characters that should have been percent-encoded,
 * also its parts, because a driver may take one for the port or the database and quote it.
 */
export function listUrlSecrets(url: string | undefined): string[] {
  const [, password] = /^[a-z][a-z0-9+.-]*:\/\/[^/@\s]*?:([^/\s]+)@/i.exec(url ?? '') ?? [];
  const [, most = ''] = /^[a-z][a-z0-9+.-]*:\/\/[^/@\s:]*:(.+)@/is.exec(url ?? '') ?? [];
  const parts = most === password ? [] : most.split(/[/?#@]/).filter(({ length }) => length >= shortestPart);
  return [...new Set([...listSpellings(password), ...parts])];
}

function listSpellings(password: string | undefined): string[] {
  if (password === undefined) return [];
  try {
    return [password, decodeURIComponent(password)];
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
