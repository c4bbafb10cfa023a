import { createHash } from 'node:crypto';

/**
 * The same secret under the same rule has the same fingerprint on every machine and at every time, so that an
 * operator can allow it by this name; so there is no salt. The rule is part of it, so that allowing one look
 * does not allow another; the name of the file is not, so that a moved file stays allowed. It is cut to 64
 * bits: enough to tell the secrets of an installation apart, and it does not hold what it was made of. Who can
 * guess the secret can confirm the guess, so it belongs into reports and records, never into public text.
 */
export function fingerprintOf(rule: string, secret: string): string {
  const hash = createHash('sha256').update(`fettle-secret-1\0${rule}\0${secret}`).digest('hex');
  return `fs1-${hash.slice(0, 16)}`;
}
