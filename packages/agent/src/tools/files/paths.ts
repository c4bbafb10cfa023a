import { posix } from 'node:path';
import { z } from 'zod';

/** Normalised, so that policy, record and tree use the same spelling. The policy denies paths outside the repository. */
export const pathInput = z
  .string()
  .min(1)
  .max(1_000)
  .describe('Path relative to the root of the repository, with forward slashes')
  .transform((path) => (path.startsWith('/') ? path : posix.normalize(path).replace(/(.)\/$/, '$1')));

/** Quotes names with control characters: a name with a line break would look like two names. */
export function showPath(path: string): string {
  return /\p{Cc}/u.test(path) ? JSON.stringify(path) : path;
}
