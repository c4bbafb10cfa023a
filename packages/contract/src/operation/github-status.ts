import { z } from 'zod';

const rateLimitSchema = z.object({ limit: z.int(), remaining: z.int(), resetAt: z.iso.datetime() });

/** What Fettle has access to on GitHub. */
export const githubStatusSchema = z.object({
  kind: z.enum(['app', 'token', 'none']).describe('How Fettle signs in; none: GitHub is not connected'),
  url: z.string().describe('The web address of this GitHub'),
  login: z.string().nullable().describe('The user whose name is on comments: `fettle[bot]`'),
  appUrl: z.string().nullable(),
  installations: z.array(
    z.object({
      account: z.string(),
      isSuspended: z.boolean(),
      missingPermissions: z.array(z.string()).describe('As `name:level`'),
      repositories: z.array(z.string()),
      rateLimit: rateLimitSchema.nullable(),
    }),
  ),
  lastDelivery: z
    .object({ event: z.string(), at: z.iso.datetime() })
    .nullable()
    .describe('The last webhook event that was received'),
  notes: z.array(z.string()).describe('What the operator should know'),
});
export type GithubStatus = z.infer<typeof githubStatusSchema>;
export type RateLimit = z.infer<typeof rateLimitSchema>;
