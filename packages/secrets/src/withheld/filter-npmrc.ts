import { findSecrets } from '../find-secrets.ts';

/** The name at the end of a key such as `//registry.example.org/:_authToken`. */
const authentication =
  /^(?:.*:)?["']?(?:_auth|_authtoken|_password|username|email|cert|key|certfile|keyfile|otp|(?:https?-)?proxy)(?:\[\])?["']?\s*(?:=|$)/i;
const timeoutMs = 1_000;

export interface FilteredNpmrc {
  /** The file without its authentication. */
  text: string;
  removed: string[];
}

/** Undefined if a secret remains that is not in a line of its own, so that the whole file must be withheld. */
export function filterNpmrc(text: string, note: string): FilteredNpmrc | undefined {
  const removed: string[] = [];
  const lines = text.split(/\r\n|\r|\n/).map((line) => {
    const isSecret = authentication.test(line.trim()) || holdsSecret(line);
    if (!isSecret) return line;
    removed.push(line);
    return `; ${note}`;
  });
  if (removed.length === 0) return { text, removed };
  const filtered = lines.join('\n');
  return holdsSecret(filtered) ? undefined : { text: filtered, removed };
}

function holdsSecret(text: string): boolean {
  const { matches, unseenFrom } = findSecrets(text, { timeoutMs });
  return matches.length > 0 || unseenFrom !== undefined;
}
