import { z } from 'zod';
import { evidenceSchema, proofStatusSchema } from './proof.ts';

/** Why an operation did not end with a finished proposal. People see the sentence. */
export const reasons = {
  repository_not_found: 'The repository does not exist.',
  repository_unreachable: 'The repository could not be reached.',
  repository_empty: 'The repository has no commits.',
  repository_refused: 'The repository contains files that Fettle cannot work on.',
  base_branch_not_found: 'The base branch does not exist.',
  bad_config: 'The repository’s .fettle/config.yml is not valid.',
  setup_refused: 'The policy does not allow a set-up command of the repository.',
  setup_failed: 'A set-up command of the repository failed.',
  sandbox_unavailable: 'No sandbox could be started.',
  sandbox_lost: 'The sandbox ended unexpectedly.',
  model_unavailable: 'The worker cannot use the requested model.',
  model_unreachable: 'The model could not be reached.',
  model_rejected: 'The model provider rejected the request.',
  model_refused: 'The model refused to continue.',
  context_overflow: 'The conversation exceeded the context window of the model.',
  model_cut_short: 'The model’s answers were truncated repeatedly.',
  loop: 'The agent repeated itself without making progress.',
  budget_parts: 'The budget of parts is used up.',
  budget_turns: 'The budget of turns is used up.',
  budget_tokens: 'The budget of tokens is used up.',
  budget_usd: 'The budget of US dollars does not cover the next call.',
  budget_seconds: 'The time budget is used up.',
  too_many_changes: 'The change has more files than one proposal may have.',
  change_refused: 'The change contains something that the policy does not allow.',
  secrets_found: 'The change contains secrets.',
  scanner_unavailable: 'gitleaks is not available, and nothing is pushed without its scan.',
  unproven: 'No check of the repository could prove the change.',
  verification_failed: 'The repository’s own checks still fail.',
  no_plan: 'The agent did not make the requested plan.',
  no_changes: 'No change was needed.',
  forge_refused: 'GitHub refused a request of Fettle.',
  forge_unavailable: 'GitHub is down, slow, or limits requests.',
  push_rejected: 'The repository rejected the push.',
  branch_gone: 'The branch of the proposal was deleted.',
  branch_rewritten: 'The branch of the proposal no longer contains its commits.',
  branch_moved: 'Somebody pushed to the branch of the proposal in the meantime.',
  cancelled: 'A person cancelled the operation.',
  lease_lost: 'Another worker owns the operation now.',
  worker_lost: 'The worker died or lost its connection.',
  worker_stopped: 'The worker was stopped.',
  attempts_used_up: 'Too many attempts in a row were lost at the same step.',
  checkpoint_lost: 'The last checkpoint is no longer stored.',
  disk_full: 'The disk is full.',
  expired: 'The operation exceeded the time limit of its state.',
  paused: 'A person paused the operation.',
  message_waits: 'The agent has not seen all messages yet.',
  internal: 'An internal error occurred in Fettle.',
} as const;
export type ReasonCode = keyof typeof reasons;
export const reasonSchema = z.enum(Object.keys(reasons) as [ReasonCode, ...ReasonCode[]]);

export const pullRequestRefSchema = z.object({ number: z.int(), url: z.string(), title: z.string() });
export type PullRequestRef = z.infer<typeof pullRequestRefSchema>;

export const outcomeSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('proposal'),
    draft: z.boolean(),
    branch: z.string(),
    headCommit: z.string(),
    pullRequest: pullRequestRefSchema,
    reason: reasonSchema.optional().describe('Why the proposal is only a draft'),
    message: z.string().optional(),
    proof: proofStatusSchema.optional().describe('Absent in older records'),
    evidence: evidenceSchema.optional(),
  }),
  z.object({ kind: z.literal('answer'), answer: z.string() }),
  z.object({ kind: z.literal('unchanged'), message: z.string() }),
  z.object({ kind: z.literal('failure'), reason: reasonSchema, message: z.string() }),
]);
export type Outcome = z.infer<typeof outcomeSchema>;
