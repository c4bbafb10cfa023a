import { describeCounts } from '@fettle/checks';
import { type Operation, placeOf } from '@fettle/contract';
import type { JudgedCheck } from '../verify/base-checks.ts';
import type { Change } from '../verify/verify.ts';
import type { Remark } from './remark.ts';

const maxTitle = 72;
const maxBody = 50_000;
const maxLastMessage = 2_000;

export interface ProposalText {
  title: string;
  /** The agent's description, without the title. */
  summary: string;
  /** The text of the pull request: the evidence, then the summary. */
  body: string;
}

export function describeProposal(
  operation: Operation,
  { summary: said, lastText, checks, shortfall, review, remarks = [] }: Change & { remarks?: Remark[] },
): ProposalText {
  const { title, summary } = splitTitle(
    said || `${operation.kind}: ${operation.request.description.split('\n')[0]}`,
  );
  const sections = [
    shortfall && `**This is a draft.** ${shortfall.message} (${shortfall.reason}).`,
    said ? '' : describeMissingSummary(lastText),
    remarks.length > 0 && `### To look at\n${describeRemarks(remarks)}`,
    `### Request\n${quote(operation.request.description)}`,
    `### Checks\n${checks.map(describeCheck).join('\n') || 'The repository has no checks, so the change was not tested.'}`,
    review && `### Review\n${describeReview(review)}`,
    `Requested by ${operation.requestedBy}. Operation \`${operation.id}\`, ${operation.kind}.`,
    // Last, because a code fence or a comment that the agent leaves open would hide what follows.
    summary && `### Summary by the agent\n${summary}`,
  ];
  return { title, summary, body: sections.filter(Boolean).join('\n\n').slice(0, maxBody) };
}

function describeMissingSummary(lastText: string | undefined): string {
  if (lastText === undefined) return 'The agent left no summary.';
  return `The agent did not finish and left no summary. Its last message:\n${quote(lastText.slice(0, maxLastMessage))}`;
}

/** The first line is the title, without Markdown. If it has to be cut, the summary contains all of it. */
function splitTitle(said: string): { title: string; summary: string } {
  const [first = '', ...rest] = said.trim().split('\n');
  // Cut before matching: the model wrote the text, and a long run of dots makes the pattern very slow.
  const line = first.slice(0, 500).replace(/^[#*\s]+|[*\s.]+$/g, '');
  if (line.length <= maxTitle) return { title: line, summary: rest.join('\n').trim() };
  return { title: `${line.slice(0, maxTitle - 1)}…`, summary: said.trim() };
}

function describeCheck({
  name,
  command,
  ok,
  exitCode,
  timedOut,
  durationMs,
  report,
  comparison,
}: JudgedCheck): string {
  const how = ok ? 'passed' : timedOut ? 'timed out' : `failed with exit code ${exitCode}`;
  const counts = report ? `: ${describeCounts(report)}` : '';
  return `- ${name}: ${how} in ${(durationMs / 1000).toFixed(1)} s${counts}${describeBefore(comparison)} (\`${command}\`)`;
}

function describeBefore(comparison: JudgedCheck['comparison']): string {
  if (comparison?.kind === 'red before') return '; it failed the same way before this change';
  return comparison?.before ? `; ${comparison.before} of them failed before this change` : '';
}

const maxRemarks = 30;
const maxTokens = 10;

/** Paths and tokens come from the change itself: they must not break out of their code span or line. */
function describeRemarks(remarks: Remark[]): string {
  const code = (text: string) => `\`${text.replace(/[`\p{C}\p{Zl}\p{Zp}]/gu, '�')}\``;
  const lines = remarks.slice(0, maxRemarks).map(({ path, rule, reason, tokens }) => {
    const rest = tokens.length > maxTokens ? [`${tokens.length - maxTokens} more`] : [];
    const matches = [...tokens.slice(0, maxTokens).map(code), ...rest].join(', ');
    return `- ${code(path)}: ${reason}${matches && `: ${matches}`} (rule ${rule}).`;
  });
  const rest = remarks.length > maxRemarks ? [`- and ${remarks.length - maxRemarks} more`] : [];
  return ['Look at this before you merge:', ...lines, ...rest].join('\n');
}

function describeReview({ findings, problem }: NonNullable<Change['review']>): string {
  if (problem !== undefined) return `The review by a second agent did not finish: ${problem}`;
  if (findings.length === 0)
    return 'A second agent reviewed the change and found nothing. This is not an approval.';
  const lines = findings.map(({ severity, what, why, ...place }) => {
    const where = placeOf(place);
    return `- **${severity}**${where === undefined ? '' : ` \`${where}\``}: ${what} ${why}`;
  });
  return lines.join('\n');
}

function quote(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}
