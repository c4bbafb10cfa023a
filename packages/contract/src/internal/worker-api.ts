/** The requests and answers between worker and api under `/internal/v1`. */
import { z } from 'zod';
import { budgetsSchema, totalsSchema } from '../operation/budgets.ts';
import { forgeNameSchema } from '../operation/forge-name.ts';
import { saidSchema } from '../operation/message.ts';
import { operationSchema } from '../operation/operation.ts';
import { outcomeSchema, pullRequestRefSchema, reasonSchema } from '../operation/outcome.ts';
import { planSchema } from '../operation/plan.ts';
import { stateSchema } from '../operation/states.ts';
import { diffStatSchema, eventSchema } from '../record/event.ts';

/** The maxInteger integer of a database column. */
const maxInteger = 2 ** 31 - 1;
const fence = z.int().positive().max(maxInteger);
/** If given, the request fails with `messages_pending` while a later message is undelivered. */
const delivered = z
  .int()
  .min(0)
  .max(maxInteger)
  .optional()
  .describe('The number of the last message that was delivered to the agent');
const messageCount = z.int().min(0).describe('The number of messages from people so far');

/** A claim with the same key is idempotent, so that a worker can repeat it after a lost answer. */
export const claimInputSchema = z.strictObject({
  worker: z.string().min(1).max(200),
  key: z.string().min(1).max(100),
});
export const claimSchema = z.object({
  operation: operationSchema,
  attempt: z.int(),
  fence,
  leaseSeconds: z.int(),
  budgets: budgetsSchema,
  messageCount,
  source: z.object({ repositoryId: z.string(), url: z.string(), forge: forgeNameSchema }),
  organization: z.string().describe('The slug of the organization'),
  requester: z.object({ name: z.string(), email: z.string() }),
});
export type Claim = z.infer<typeof claimSchema>;

export const heartbeatInputSchema = z.strictObject({ fence, totals: totalsSchema });
export const heartbeatSchema = z.object({
  state: stateSchema,
  pauseRequested: z.boolean().describe('The worker should release the operation at the next opportunity'),
  messageCount,
});
export type Heartbeat = z.infer<typeof heartbeatSchema>;

export const fenceQuerySchema = z.strictObject({ fence: z.coerce.number().int().positive().max(maxInteger) });

export const commitSchema = z.string().regex(/^[0-9a-f]{40}$/, 'is not a commit');
/** A compressed checkpoint. */
export const maxCheckpointBytes = 64_000_000;

/** The record of earlier attempts, a page at a time. */
export const recordQuerySchema = fenceQuerySchema.extend({
  after: z.coerce.number().int().min(0).max(maxInteger),
});
export const recordPageSchema = z.object({ events: z.array(eventSchema), more: z.boolean() });

/** The messages after a number, in order. */
export const saidListSchema = z.object({ messages: z.array(saidSchema) });

/** Ends the attempt with a plan. The operation waits for a decision. */
export const planInputSchema = z.strictObject({
  fence,
  from: stateSchema,
  plan: planSchema,
  totals: totalsSchema,
});
export type PlanInput = z.infer<typeof planInputSchema>;

export const transitionInputSchema = z.strictObject({
  fence,
  delivered,
  from: stateSchema,
  to: stateSchema,
  message: z.string().max(2_000).optional(),
});
export type TransitionInput = z.infer<typeof transitionInputSchema>;

export const proposalInputSchema = z.strictObject({
  fence,
  branch: z.string(),
  baseBranch: z.string(),
  baseCommit: z.string(),
  headCommit: z.string(),
  title: z.string().max(300),
  body: z.string().max(60_000),
  draft: z.boolean(),
  stat: diffStatSchema,
  diff: z.string().max(1_100_000),
  commits: z.array(z.object({ oid: z.string(), subject: z.string() })).max(100),
  labels: z.array(z.string().max(100)).max(20).default([]),
  reviewers: z
    .array(z.string().max(200))
    .max(20)
    .default([])
    .describe('Users, and teams as `organization/team`, to ask for a review'),
});
export type ProposalInput = z.infer<typeof proposalInputSchema>;
export const proposalSchema = z.object({ pullRequest: pullRequestRefSchema });

/** The token for the git host of the operation's repository. Absent if none is needed. */
export const gitTokenInputSchema = z.strictObject({
  fence,
  refused: z.string().max(1_000).optional().describe('The token that the host did not accept'),
});
export const gitTokenSchema = z.object({ token: z.string().optional() });

/** The branches that an operation without a proposal may have left in its repository. */
export const leftoversSchema = z.object({
  source: z.object({ repositoryId: z.string(), url: z.string() }),
  branches: z.array(z.object({ branch: z.string(), commit: z.string() })),
  token: z.string().optional(),
  unwanted: z
    .boolean()
    .describe('The operation ended without a proposal, so pushed branches must be removed'),
  look: z.int().min(0).describe('How many checks have been reported'),
});
export type Leftovers = z.infer<typeof leftoversSchema>;

/** The result of a check. Only a reported check counts as done. */
export const cleanUpInputSchema = z.strictObject({
  look: z.int().min(0).max(maxInteger),
  found: z.enum(['nothing_pushed', 'gone', 'left']),
});
export type CleanUpInput = z.infer<typeof cleanUpInputSchema>;

export const settleInputSchema = z.strictObject({
  fence,
  delivered,
  from: stateSchema,
  outcome: outcomeSchema,
  totals: totalsSchema,
});
export type SettleInput = z.infer<typeof settleInputSchema>;

/** Ends an attempt but not its operation: it was handed over, or it failed for a temporary reason. */
export const releaseInputSchema = z.strictObject({
  fence,
  from: stateSchema.describe(
    'As far as the worker knows; the answer to its last transition may have been lost',
  ),
  why: z.enum(['handed_over', 'went_wrong']),
  reason: reasonSchema,
  message: z.string().max(2_000),
  totals: totalsSchema,
  afterMs: z
    .int()
    .min(0)
    .max(maxInteger)
    .optional()
    .describe('When the next attempt can succeed, if the forge said so'),
});
export type ReleaseInput = z.infer<typeof releaseInputSchema>;
export const releaseSchema = z.object({ state: stateSchema });
