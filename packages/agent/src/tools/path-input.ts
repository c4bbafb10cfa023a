import { z } from 'zod';

export const pathInput = z
  .string()
  .min(1)
  .max(1_000)
  .describe('Path from the root of the repository, with forward slashes');
