import { z } from 'zod';

/** The hosts of repositories and pull requests. */
export const forgeNameSchema = z.enum(['local', 'github']);
export type ForgeName = z.infer<typeof forgeNameSchema>;
