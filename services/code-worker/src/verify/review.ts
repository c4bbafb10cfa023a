/** A second agent reviews a change that passes its checks: in a new conversation, with read-only tools and a small budget. */
import {
  findingsSchema,
  reportFindings,
  resume,
  reviewPrompt,
  reviewSystemPrompt,
  reviewTools,
  runTurns,
  type TurnsEnd,
} from '@fettle/agent';
import {
  type Budgets,
  type Event,
  type Finding,
  placeOf,
  type Totals,
  tightestBudgets,
} from '@fettle/contract';
import { continueEarlier } from '../act/create-turns.ts';
import { type CommonOptions, describeUnusable } from '../act/turn-options.ts';
import type { Attempt } from '../attempt/attempt.ts';
import type { Earlier } from '../attempt/read-earlier.ts';
import type { Workspace } from '../prepare/workspace.ts';
import type { Change } from './verify.ts';

const by = 'reviewer' as const;
/** The budget of one review, within what the operation has left. */
const reviewBudgets = { parts: 60, turns: 15, tokens: 600_000, usd: 1, seconds: 600 };

export interface Reviewed {
  findings: Finding[];
  /** Whether blocking findings go back to the agent, which happens once in an operation. */
  sentBack: boolean;
  problem?: string | undefined;
}

export interface ReviewerParts {
  common: CommonOptions;
  workspace: Workspace;
  earlier: Earlier | undefined;
}

type ReviewNeeds = Pick<Attempt, 'claim' | 'messages' | 'record' | 'spent' | 'stop'>;

export type Reviewer = ReturnType<typeof createReviewer>;

export function createReviewer(attempt: ReviewNeeds, { common, workspace, earlier }: ReviewerParts) {
  let wasSentBack = earlier?.reviews.some((each) => each.sentBack) ?? false;

  /** The events of this review in an earlier attempt; none if the agent has made another turn since. */
  function readRecord(): Event[] {
    const isSame = earlier?.conversation.totals.turns === attempt.spent.totals.turns;
    return isSame ? earlier.sinceLastTurn : [];
  }

  return {
    async review(change: Change, round: number): Promise<Reviewed> {
      const record = readRecord();
      const known = record.findLast((event) => event.type === 'review.finished');
      if (known?.type === 'review.finished') return known;
      const reviewed = await runReview(attempt, { common, workspace, record, change, round });
      const sentBack = !wasSentBack && reviewed.findings.some(({ severity }) => severity === 'blocking');
      wasSentBack ||= sentBack;
      await attempt.record.append({ type: 'review.finished', round, sentBack, ...reviewed });
      return { ...reviewed, sentBack };
    },
  };
}

interface ReviewInput {
  common: CommonOptions;
  workspace: Workspace;
  record: Event[];
  change: Change;
  round: number;
}

async function runReview(
  attempt: ReviewNeeds,
  { common, workspace, record, change, round }: ReviewInput,
): Promise<{ findings: Finding[]; problem?: string }> {
  let findings = findReport(record);
  if (findings) return { findings };
  const before = resume(record, by, common.mask);
  const options = {
    ...common,
    ...{ by, round, tools: reviewTools, system: reviewSystemPrompt },
    conversation: { ...before.conversation, totals: attempt.spent.totals },
    budgets: tightestBudgets(common.budgets, addReviewBudgets(attempt.spent.totals, common.secondsSpent())),
    takeMessages: async () => [],
    isDone({ part, result }: { part: { tool: string; input: unknown }; result: { status: string } }) {
      if (part.tool !== reportFindings.name || result.status !== 'ok') return false;
      ({ findings } = findingsSchema.parse(part.input));
      return true;
    },
  };
  const { request } = attempt.claim.operation;
  const [said, diff] = await Promise.all([attempt.messages.readDelivered(), workspace.history.diff()]);
  const userMessage = reviewPrompt({
    ...{ request, said, diff: common.mask(diff), ...change },
    unusable: describeUnusable(workspace.unusableChecks),
  });
  const start = before.round > 0 ? await continueEarlier(attempt.record, before) : { userMessage };
  const end: TurnsEnd = 'kind' in start ? start : await runTurns(start, options);
  if (end.kind === 'yielded') throw attempt.stop.yieldError();
  if (findings) return { findings };
  return {
    findings: [],
    problem: end.kind === 'stopped' ? end.message : 'the reviewer ended without a report',
  };
}

function addReviewBudgets(totals: Totals, seconds: number): Budgets {
  const { parts, turns, tokens, usd } = totals;
  return {
    parts: parts + reviewBudgets.parts,
    turns: turns + reviewBudgets.turns,
    tokens: tokens + reviewBudgets.tokens,
    usd: usd + reviewBudgets.usd,
    seconds: Math.ceil(seconds + reviewBudgets.seconds),
  };
}

/** The report of a review whose attempt ended before `review.finished` was recorded. */
function findReport(record: Event[]): Finding[] | undefined {
  for (const event of record) {
    if (event.type !== 'part.finished' || event.part.kind !== 'tool' || event.part.by !== by) continue;
    const { tool, status, input } = event.part;
    if (tool === reportFindings.name && status === 'ok')
      return findingsSchema.safeParse(input).data?.findings;
  }
  return undefined;
}

export function describeFindings(findings: Finding[]): string {
  const lines = findings.map(({ severity, what, why, ...place }) => {
    const where = placeOf(place);
    return `- ${severity}${where === undefined ? '' : ` ${where}`}: ${what} ${why}`;
  });
  return `A review of the change found:\n${lines.join('\n')}\n\nFix the blocking findings, and the others where they are right. If a finding is wrong, say so. Then finish again.`;
}
