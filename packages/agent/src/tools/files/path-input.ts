import { posix } from 'node:path';
import { z } from 'zod';

/** One spelling for one file: rules, record and tree go by it. What leaves the repository is refused later on. */
export const pathInput = z
  .string()
  .min(1)
  .max(1_000)
  .describe('Path from the root of the repository, with forward slashes')
  .transform((path) => (path.startsWith('/') ? path : posix.normalize(path).replace(/(.)\/$/, '$1')));
