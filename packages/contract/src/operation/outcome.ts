import { z } from 'zod';

/** Why an operation ended otherwise than with a finished proposal. The sentence is for people. */
export const reasons = {
  repository_not_found: 'There is no repository at that place.',
  repository_unreachable: 'The repository could not be reached.',
  repository_empty: 'The repository has no commit to start from.',
  repository_refused: 'The repository’s tree cannot be worked on.',
  base_branch_not_found: 'The base branch does not exist.',
  bad_config: 'The repository’s .fettle/config.yml is not valid.',
  setup_refused: 'A set-up command of the repository is not one that may run.',
  setup_failed: 'A set-up command of the repository failed.',
  sandbox_unavailable: 'No sandbox could be started.',
  sandbox_lost: 'The sandbox ended in the middle of the work.',
  model_unreachable: 'The model could not be reached.',
  model_rejected: 'The model’s service rejected the request.',
  model_refused: 'The model refused to go on.',
  context_overflow: 'The conversation became longer than the model can take in.',
  model_cut_short: 'The model’s answers were cut short again and again.',
  loop: 'The agent repeated itself and got no further.',
  budget_parts: 'The budget of parts is used up.',
  budget_turns: 'The budget of turns is used up.',
  budget_tokens: 'The budget of tokens is used up.',
  budget_usd: 'The budget of US dollars is used up.',
  budget_seconds: 'The time is used up.',
  too_many_changes: 'More files changed than one proposal may have.',
  change_refused: 'The change has something in it that no proposal may have.',
  secrets_found: 'What would be pushed has secrets in it.',
  scanner_unavailable: 'The second scanner for secrets cannot be had, and nothing is pushed without it.',
  verification_failed: 'The repository’s own checks still fail.',
  no_plan: 'The agent was asked for a plan and made none.',
  no_changes: 'Nothing had to be changed.',
  push_rejected: 'The repository did not take the branch.',
  cancelled: 'A person cancelled it.',
  lease_lost: 'Another worker owns the operation now.',
  worker_lost: 'The worker died or lost its connection.',
  worker_stopped: 'The worker was stopped.',
  attempts_used_up: 'Attempt after attempt was lost at the same place.',
  checkpoint_lost: 'The last checkpoint is not on this machine any more.',
  disk_full: 'There is no room left on the disk.',
  expired: 'It stayed in one state for longer than it may.',
  paused: 'A person paused it.',
  message_waits: 'Somebody said something that the agent has not seen yet.',
  internal: 'A bug in Fettle.',
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
    reason: reasonSchema.optional().describe('Why it is only a draft'),
    message: z.string().optional(),
  }),
  z.object({ kind: z.literal('answer'), answer: z.string() }),
  z.object({ kind: z.literal('unchanged'), message: z.string() }),
  z.object({ kind: z.literal('failure'), reason: reasonSchema, message: z.string() }),
]);
export type Outcome = z.infer<typeof outcomeSchema>;
