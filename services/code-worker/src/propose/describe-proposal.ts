import { describeCounts } from '@fettle/checks';
import { type Operation, placeOf } from '@fettle/contract';
import type { JudgedCheck } from '../verify/base-checks.ts';
import type { Change } from '../verify/verify.ts';
import type { Remark } from './remarks.ts';

const maxTitle = 72;
const maxBody = 50_000;
const maxLastWords = 2_000;

export interface ProposalText {
  title: string;
  /** What the agent said besides the title. */
  summary: string;
  /** The pull request's text: the summary, then the evidence. */
  body: string;
}

export function describeProposal(
  operation: Operation,
  { summary: said, lastWords, checks, shortfall, review, remarks = [] }: Change & { remarks?: Remark[] },
): ProposalText {
  const { title, summary } = splitTitle(
    said || `${operation.kind}: ${operation.request.description.split('\n')[0]}`,
  );
  const sections = [
    shortfall && `**This is a draft.** ${shortfall.message} (${shortfall.reason}).`,
    said ? '' : describeSilence(lastWords),
    remarks.length > 0 && `### To look at\n${describeRemarks(remarks)}`,
    `### Request\n${quote(operation.request.description)}`,
    `### Checks\n${checks.map(describeCheck).join('\n') || 'The repository names no checks: nothing was proven by running it.'}`,
    review && `### Review\n${describeReview(review)}`,
    `Asked for by ${operation.requestedBy}. Operation \`${operation.id}\`, ${operation.kind}.`,
    // The last: a fence or a comment that they leave open must hide nothing of the above.
    summary && `### In the agent’s words\n${summary}`,
  ];
  return { title, summary, body: sections.filter(Boolean).join('\n\n').slice(0, maxBody) };
}

/** What is missing is known to nobody but the agent, and to it only as far as it had said. */
function describeSilence(lastWords: string | undefined): string {
  if (lastWords === undefined) return 'The agent left no summary.';
  return `The agent was not done, and left no summary of what is missing. It said last:\n${quote(lastWords.slice(0, maxLastWords))}`;
}

/** The first line is the title, without what Markdown puts around it; one that has to be cut stays whole below. */
function splitTitle(said: string): { title: string; summary: string } {
  const [first = '', ...rest] = said.trim().split('\n');
  // Cut before it is matched: the words are the model's, and a long run of dots would take the pattern for ever.
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
  const how = ok ? 'passed' : timedOut ? 'ran into its time limit' : `failed with exit code ${exitCode}`;
  const counts = report ? `: ${describeCounts(report)}` : '';
  return `- ${name}: ${how} in ${(durationMs / 1000).toFixed(1)} s${counts}${describeBefore(comparison)} (\`${command}\`)`;
}

function describeBefore(comparison: JudgedCheck['comparison']): string {
  if (comparison?.kind === 'red before') return '; was red before this change, in the same way';
  return comparison?.before ? `; ${comparison.before} of them were red before this change` : '';
}

const maxRemarks = 30;
const maxTokens = 10;

/** Names and tokens are the change's own words: they stay in their quotes, and in their line. */
function describeRemarks(remarks: Remark[]): string {
  const code = (text: string) => `\`${text.replace(/[`\p{C}\p{Zl}\p{Zp}]/gu, '�')}\``;
  const lines = remarks.slice(0, maxRemarks).map(({ path, rule, reason, tokens }) => {
    const rest = tokens.length > maxTokens ? [`${tokens.length - maxTokens} more`] : [];
    const what = [...tokens.slice(0, maxTokens).map(code), ...rest].join(', ');
    return `- ${code(path)}: ${reason}${what && `: ${what}`} (rule ${rule}).`;
  });
  const rest = remarks.length > maxRemarks ? [`- and ${remarks.length - maxRemarks} more`] : [];
  return ['A person has to look at this before it is merged:', ...lines, ...rest].join('\n');
}

function describeReview({ findings, problem }: NonNullable<Change['review']>): string {
  if (problem !== undefined) return `A second agent could not finish its review: ${problem}`;
  if (findings.length === 0)
    return 'A second agent looked at the change and found nothing. That is no approval.';
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
