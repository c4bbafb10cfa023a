import { z } from 'zod';
import { sandboxUsageSchema } from '../internal/sandbox-broker.ts';
import { totalsSchema } from '../operation/budgets.ts';
import { saidSchema } from '../operation/message.ts';
import { outcomeSchema, pullRequestRefSchema, reasonSchema } from '../operation/outcome.ts';
import { decisionSchema, planSchema } from '../operation/plan.ts';
import { evidenceSchema, proofStatusSchema } from '../operation/proof.ts';
import { kindSchema } from '../operation/request.ts';
import { stateSchema } from '../operation/states.ts';
import { commandModes } from '../policy/command-rules.ts';
import { checkResultSchema } from './check-result.ts';
import { findingSchema } from './finding.ts';
import { by, changedFileSchema, finishedPartSchema, startedToolPartSchema } from './part.ts';

export const usageSchema = z.object({
  inputTokens: z.int(),
  outputTokens: z.int(),
  cacheReadTokens: z.int(),
  cacheWriteTokens: z.int(),
});
export type Usage = z.infer<typeof usageSchema>;

export const diffStatSchema = z.object({ files: z.int(), added: z.int(), deleted: z.int() });

/** An event without its position in the record. */
export const eventBodySchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('operation.created'),
    kind: kindSchema,
    description: z.string(),
    repository: z.string(),
  }),
  z.object({
    type: z.literal('operation.state'),
    from: stateSchema,
    to: stateSchema,
    attempt: z.int().optional(),
    reason: reasonSchema.optional(),
    message: z.string().optional(),
  }),
  z.object({
    type: z.literal('attempt.started'),
    attempt: z.int(),
    worker: z.string(),
  }),
  z.object({
    type: z.literal('notice'),
    level: z.enum(['info', 'warning']),
    code: z.string(),
    message: z.string(),
  }),
  z.object({
    type: z.literal('workspace.ready'),
    baseBranch: z.string(),
    baseCommit: z.string(),
    sandbox: z.string(),
    sandboxId: z.string().optional().describe('The id in the list of the sandbox broker'),
    model: z.string().optional().describe('The model that the agent uses'),
    commands: z.enum(commandModes).optional().describe('How the agent’s command lines are run'),
    durationMs: z.number(),
  }),
  z.object({
    type: z.literal('sandbox.used'),
    attempt: z.int(),
    soFar: z
      .literal(true)
      .optional()
      .describe('The sandbox is still running; the final usage follows at its end'),
    sandboxId: z.string().optional().describe('The id in the list of the sandbox broker'),
    ...sandboxUsageSchema.shape,
  }),
  z.object({
    type: z.literal('check.finished'),
    phase: z
      .enum(['setup', 'verify', 'fresh', 'base', 'evidence'])
      .describe(
        'base: on the commit that the operation started from; evidence: that commit with the tests of the change',
      ),
    round: z.int(),
    remembered: z.boolean().optional().describe('Taken from an earlier operation instead of being run'),
    check: checkResultSchema,
  }),
  z.object({
    type: z.literal('review.finished'),
    round: z.int(),
    findings: z.array(findingSchema),
    sentBack: z.boolean().describe('Whether blocking findings were sent back to the agent'),
    problem: z.string().optional().describe('Why the review could not be finished'),
  }),
  z.object({
    type: z.literal('turn.started'),
    turn: z.int(),
    by,
    round: z.int().describe('The round of work: 1, plus one for each failed verification'),
    told: z
      .string()
      .optional()
      .describe('What Fettle sent to the model before this turn, besides tool results'),
    warned: z
      .union([z.literal(70), z.literal(90)])
      .optional()
      .describe('The percentage of a budget that the model was warned about'),
    messages: z
      .array(z.int().positive())
      .optional()
      .describe('The messages from people in this turn. They count as seen from here on'),
  }),
  z.object({
    type: z.literal('turn.retried'),
    turn: z.int(),
    by,
    retry: z.int(),
    message: z.string(),
    pauseMs: z.number(),
    usage: usageSchema.optional().describe('The usage of the failed try'),
    totals: totalsSchema.optional(),
  }),
  z.object({
    type: z.literal('turn.failed'),
    turn: z.int(),
    by,
    reason: reasonSchema,
    message: z.string(),
    totals: totalsSchema.optional(),
  }),
  z.object({
    type: z.literal('turn.finished'),
    turn: z.int(),
    by,
    model: z.string(),
    stopReason: z.string(),
    usage: usageSchema,
    totals: totalsSchema.describe('The usage of the operation so far'),
    durationMs: z.number(),
    harnessMs: z
      .number()
      .optional()
      .describe('From the end of the previous answer to this request, without the running time of programs'),
  }),
  z.object({
    type: z.literal('conversation.compacted'),
    turn: z.int().describe('The turn before which the conversation was compacted'),
    by,
    way: z
      .enum(['results', 'summary'])
      .describe('Whether old results were removed, or replaced by a summary'),
    keptFrom: z.int().describe('The first turn that the model still sees in full'),
    summary: z.string().optional(),
    usage: usageSchema.optional().describe('The usage of the summary'),
    tokensBefore: z.int(),
    tokensAfter: z.int(),
    totals: totalsSchema,
  }),
  z.object({ type: z.literal('part.started'), part: startedToolPartSchema }),
  z.object({ type: z.literal('part.finished'), part: finishedPartSchema }),
  z.object({
    type: z.literal('checkpoint.written'),
    checkpoint: z.string(),
    changed: z
      .array(changedFileSchema)
      .describe('Files that changed outside of any part, for example by a check'),
  }),
  z.object({
    type: z.literal('proposal.committed'),
    branch: z.string(),
    summary: z.string().optional().describe('The agent’s description of this commit'),
    headCommit: z.string(),
    draft: z.boolean(),
    title: z.string(),
    body: z.string(),
    reason: reasonSchema.optional().describe('Why the proposal is only a draft'),
    message: z.string().optional(),
    proof: proofStatusSchema.optional().describe('Absent in older records'),
    evidence: evidenceSchema.optional(),
  }),
  z.object({
    type: z.literal('proposal.opened'),
    branch: z.string(),
    headCommit: z.string(),
    baseBranch: z.string(),
    draft: z.boolean(),
    pullRequest: pullRequestRefSchema,
    stat: diffStatSchema,
    diff: z.string().describe('The change, truncated if it is long'),
  }),
  z.object({ type: z.literal('message.said'), message: saidSchema }),
  z.object({ type: z.literal('plan.proposed'), version: z.int().positive(), plan: planSchema }),
  z.object({
    type: z.literal('plan.decided'),
    version: z.int().positive(),
    decision: decisionSchema,
    by: z.string(),
    message: z.string().optional(),
  }),
  z.object({
    type: z.literal('revision.started'),
    revision: z.int().min(2),
    by: z.string().describe('The person who requested changes'),
  }),
  z.object({
    type: z.literal('branch.followed'),
    branch: z.string(),
    commit: z.string().describe('The head of the branch, from which the revision starts'),
    byOthers: z.boolean().describe('Whether others have pushed to the branch since the proposal'),
  }),
  z.object({
    type: z.literal('revision.ended'),
    revision: z.int().min(2),
    outcome: outcomeSchema.describe('Why there is no new commit. The proposal stays as it was'),
  }),
  z.object({ type: z.literal('operation.settled'), state: stateSchema, outcome: outcomeSchema }),
]);
export type EventBody = z.infer<typeof eventBodySchema>;
export type EventType = EventBody['type'];

const eventPlaceSchema = z.object({
  operationId: z.string(),
  position: z.int().positive(),
  at: z.iso.datetime(),
});
export const eventSchema = z.intersection(eventPlaceSchema, eventBodySchema);
export type Event = z.infer<typeof eventSchema>;
