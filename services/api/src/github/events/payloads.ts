/** The parts of GitHub's payloads that Fettle reads. Everything else is ignored. */
import { z } from 'zod';

const id = z.number().int().positive();
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');
const accountSchema = z.object({ login: z.string(), type: z.string().optional() });
/** Null if the account was deleted. */
const author = accountSchema.nullish().transform((value) => value ?? { login: 'ghost', type: 'User' });

const repositorySchema = z.object({ id, full_name: z.string() });
const labels = z
  .array(z.object({ name: z.string() }))
  .default([])
  .transform((list) => list.map(({ name }) => name));

const issueSchema = z.object({
  number: id,
  title: z.string(),
  body: text,
  user: author,
  html_url: z.string(),
  updated_at: z.string().optional(),
  labels,
  pull_request: z.unknown().optional(),
});

export const pullSchema = z.object({
  number: id,
  title: z.string(),
  body: text,
  user: author,
  html_url: z.string(),
  state: z.enum(['open', 'closed']),
  merged_at: z.string().nullish(),
  labels,
  head: z.object({ ref: z.string(), sha: z.string(), repo: z.object({ full_name: z.string() }).nullable() }),
  base: z.object({ ref: z.string(), sha: z.string(), repo: z.object({ full_name: z.string() }) }),
});
export type Pull = z.infer<typeof pullSchema>;

export const commentSchema = z.object({ id, body: text, user: author, html_url: z.string() });

export const reviewCommentSchema = commentSchema.extend({
  path: z.string(),
  line: z.number().nullish(),
  original_line: z.number().nullish(),
  diff_hunk: text,
  in_reply_to_id: id.optional(),
  pull_request_review_id: id.nullish(),
});
export type ReviewComment = z.infer<typeof reviewCommentSchema>;

export const reviewSchema = commentSchema.extend({
  state: z.string().transform((state) => state.toLowerCase()),
});
export type Review = z.infer<typeof reviewSchema>;

export const checkRunSchema = z.object({
  id,
  name: z.string(),
  head_sha: z.string(),
  status: z.string(),
  conclusion: z.string().nullable(),
  completed_at: z.string().nullish(),
  html_url: z.string().nullish(),
  app: z.object({ slug: z.string() }).nullish(),
  check_suite: z.object({ head_branch: z.string().nullish() }).nullish(),
  output: z.object({ title: text, summary: text }).nullish(),
});
export type CheckRun = z.infer<typeof checkRunSchema>;

const from = { repository: repositorySchema };
const sender = accountSchema;

export const payloadSchemas = {
  issue_comment: z.object({
    ...from,
    action: z.string(),
    issue: issueSchema,
    comment: commentSchema,
    sender,
  }),
  issues: z.object({
    ...from,
    action: z.string(),
    issue: issueSchema,
    label: z.object({ name: z.string() }).optional(),
    sender,
  }),
  pull_request_review: z.object({
    ...from,
    action: z.string(),
    review: reviewSchema,
    pull_request: z.object({ number: id }),
    sender,
  }),
  pull_request_review_comment: z.object({
    ...from,
    action: z.string(),
    comment: reviewCommentSchema,
    pull_request: z.object({ number: id }),
    sender,
  }),
  pull_request: z.object({ ...from, action: z.string(), pull_request: z.object({ number: id }), sender }),
  check_run: z.object({ ...from, action: z.string(), check_run: checkRunSchema }),
  push: z.object({ ...from, ref: z.string(), deleted: z.boolean().default(false), sender }),
  delete: z.object({ ...from, ref: z.string(), ref_type: z.string(), sender }),
  repository: z.object({ ...from, action: z.string() }),
  installation: z.object({
    action: z.string(),
    installation: z.object({ id, account: accountSchema.nullable() }),
  }),
  installation_repositories: z.object({
    action: z.string(),
    installation: z.object({ id, account: accountSchema.nullable() }),
    repositories_added: z.array(repositorySchema).default([]),
    repositories_removed: z.array(repositorySchema).default([]),
  }),
};
export type EventName = keyof typeof payloadSchemas;
export type Payload<Name extends EventName> = z.infer<(typeof payloadSchemas)[Name]>;
