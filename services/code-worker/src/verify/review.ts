/** A second agent looks at a change that the checks let pass: with fresh eyes, tools that only read, and little to spend. */
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
import { goOn } from '../act/create-turns.ts';
import type { CommonOptions } from '../act/turn-options.ts';
import type { Work } from '../attempt/attempt.ts';
import type { Earlier } from '../attempt/read-earlier.ts';
import type { Workspace } from '../prepare/workspace.ts';
import type { Change } from './verify.ts';

const by = 'reviewer' as const;
/** What one review may use, within what the operation has left. */
const allowance = { parts: 60, turns: 15, tokens: 600_000, usd: 1, seconds: 600 };

export interface Reviewed {
  findings: Finding[];
  /** What must not stay and is given back to the agent, which happens once in an operation. */
  sentBack: boolean;
  problem?: string | undefined;
}

export interface ReviewerParts {
  common: CommonOptions;
  workspace: Workspace;
  earlier: Earlier | undefined;
}

export function createReviewer(work: Work, { common, workspace, earlier }: ReviewerParts) {
  let wasSentBack = earlier?.reviews.some((each) => each.sentBack) ?? false;

  /** What an earlier attempt left of this review: nothing, once the change has been worked on since. */
  function readRecord(): Event[] {
    const isSame = earlier?.conversation.totals.turns === work.totals.turns;
    return isSame ? earlier.sinceLastTurn : [];
  }

  return {
    async review(change: Change, round: number): Promise<Reviewed> {
      const record = readRecord();
      const known = record.findLast((event) => event.type === 'review.finished');
      if (known?.type === 'review.finished') return known;
      const reviewed = await findFaults(work, { common, workspace, record, change, round });
      const sentBack = !wasSentBack && reviewed.findings.some(({ severity }) => severity === 'blocking');
      wasSentBack ||= sentBack;
      await work.record({ type: 'review.finished', round, sentBack, ...reviewed });
      return { ...reviewed, sentBack };
    },
  };
}

interface Subject {
  common: CommonOptions;
  workspace: Workspace;
  record: Event[];
  change: Change;
  round: number;
}

async function findFaults(
  work: Work,
  { common, workspace, record, change, round }: Subject,
): Promise<{ findings: Finding[]; problem?: string }> {
  let findings = findReport(record);
  if (findings) return { findings };
  const before = resume(record, by, common.mask);
  const options = {
    ...common,
    ...{ by, round, tools: reviewTools, system: reviewSystemPrompt },
    conversation: { ...before.conversation, totals: work.totals },
    budgets: tightestBudgets(common.budgets, addAllowance(work.totals, common.secondsSpent())),
    takeMessages: async () => [],
    isDone({ part, result }: { part: { tool: string; input: unknown }; result: { status: string } }) {
      if (part.tool !== reportFindings.name || result.status !== 'ok') return false;
      ({ findings } = findingsSchema.parse(part.input));
      return true;
    },
  };
  const { request } = work.claim.operation;
  const [said, diff] = await Promise.all([work.readHeard(), workspace.history.diff()]);
  const told = reviewPrompt({ request, said, diff: common.mask(diff), ...change });
  const start = before.round > 0 ? await goOn(work, before) : { told };
  const end: TurnsEnd = 'kind' in start ? start : await runTurns(start, options);
  if (end.kind === 'yielded') throw work.yieldNow();
  if (findings) return { findings };
  return { findings: [], problem: end.kind === 'stopped' ? end.message : 'it ended without a report' };
}

function addAllowance(totals: Totals, seconds: number): Budgets {
  const { parts, turns, tokens, usd } = totals;
  return {
    parts: parts + allowance.parts,
    turns: turns + allowance.turns,
    tokens: tokens + allowance.tokens,
    usd: usd + allowance.usd,
    seconds: Math.ceil(seconds + allowance.seconds),
  };
}

/** A report that was made, by an attempt that ended before it could say so. */
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
  return `A review of the change found this:\n${lines.join('\n')}\n\nMend what is blocking, and the rest where it is right. Say so where a finding is wrong. Then finish again.`;
}
