import { describeCounts } from '@fettle/checks';
import { type Operation, placeOf } from '@fettle/contract';
import type { JudgedCheck } from '../verify/base-checks.ts';
import type { Change } from '../verify/verify.ts';
import { describeProof } from './describe-proof.ts';
import { neutraliseMarkdown, neutraliseReferences } from './neutralise-markdown.ts';
import type { Remark } from './remark.ts';

const maxTitle = 72;
const maxBody = 40_000;
const maxExplanation = 10_000;
/** Neutralising makes a text at most twice as long. */
const growth = 2;
const minExplanation = 1_000;
const maxRequest = 15_000;
const maxFinding = 4_000;
const maxLastMessage = 2_000;

export interface ProposalText {
  /** The title of the pull request. */
  title: string;
  /** The title of the commit. */
  subject: string;
  /** The agent's description, without the title. */
  summary: string;
  /** The text of the pull request: the explanation, the evidence, the remarks, the request. */
  body: string;
}

export function describeProposal(
  operation: Operation,
  {
    summary: said,
    lastText,
    checks,
    shortfall,
    proof,
    review,
    remarks = [],
    before,
  }: Change & { remarks?: Remark[]; before?: DescribedBefore },
): ProposalText {
  const fresh = proof?.evidence;
  const isRepeated =
    fresh &&
    fresh.passed.length + fresh.failed.length + fresh.redBefore.length + fresh.couldNotRun.length > 0;
  const { title, summary } = splitTitle(
    said || `${operation.kind}: ${operation.request.description.split('\n')[0]}`,
  );
  const explanation = summary && neutraliseMarkdown(summary, maxExplanation);
  const proven = proof ? describeProof(proof, shortfall) : describeUnproven(shortfall);
  const room = maxBody / 2 - proven.length;
  const sections = [
    ...(before ? describeRevisions(before.summaries, said, room) : [explanation]),
    said ? '' : describeMissingSummary(lastText),
    proven,
    isRepeated
      ? ''
      : `### Checks in the agent’s sandbox, which prove nothing\n${checks.map(describeCheck).join('\n') || 'None.'}`,
    remarks.length > 0 && `### To look at\n${describeRemarks(remarks)}`,
    review && `### Review\n${describeReview(review)}`,
    `Requested by ${operation.requestedBy}. Operation \`${operation.id}\`, ${operation.kind}.`,
  ].filter(Boolean);
  const request = `<details><summary>Request</summary>\n\n${quote(neutraliseMarkdown(operation.request.description, maxRequest))}\n\n</details>`;
  // Both also become the commit message.
  // The mark says what was proven, and only Fettle sets it.
  const subject = neutraliseReferences(withoutMarks(title) || operation.kind);
  const commit = { subject, summary: neutraliseReferences(summary) };
  return {
    title: before?.title ?? subject,
    ...commit,
    body: `${sections.join('\n\n').slice(0, maxBody)}\n\n${request}`,
  };
}

/** What earlier revisions said. */
interface DescribedBefore {
  title: string;
  summaries: string[];
}

/** The description of the first commit, then a section for each later one. Together they leave room for the proof. */
function describeRevisions([first = '', ...later]: string[], said: string, room: number): string[] {
  const all = [...later, said];
  const share = Math.floor(Math.max(room, minExplanation) / growth / (all.length + 1));
  const shorten = (text: string) => neutraliseMarkdown(text, Math.min(maxExplanation / 2, share));
  return [
    shorten(splitTitle(first).summary),
    ...all.map((text, index) => `### Revision ${index + 2}\n${shorten(text)}`),
  ];
}

/** Check marks in any form, as the names of emoji too, and the invisible characters and spaces around them. */
const marks =
  /^(?:[\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\s\u2713\u2714\u2705\u2611\u221a\u237b\u{1f5f8}\u{1f5f9}\u{1fbb1}\u{1f197}]|:(?:white_check_mark|heavy_check_mark|ballot_box_with_check|check_mark|ok):|&#?\w{1,10};)+/iu;
const withoutMarks = (title: string) => title.replace(marks, '');

const inCode = (text: string) => text.replaceAll('`', "'").replace(/\p{C}+/gu, ' ');

function describeUnproven(shortfall: Change['shortfall']): string {
  return shortfall ? `**This is a draft.** ${shortfall.message} (${shortfall.reason}).` : '';
}

function describeMissingSummary(lastText: string | undefined): string {
  if (lastText === undefined) return 'The agent left no summary.';
  return `The agent did not finish and left no summary. Its last message:\n${quote(neutraliseMarkdown(lastText, maxLastMessage))}`;
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
  status,
  exitCode,
  obstacle,
  durationMs,
  report,
  comparison,
}: JudgedCheck): string {
  const failed = obstacle ? `could not run (${obstacle.message})` : `failed with exit code ${exitCode}`;
  const how = status === 'passed' ? 'passed' : failed;
  const counts = report ? `: ${describeCounts(report)}` : '';
  return `- ${name}: ${how} in ${(durationMs / 1000).toFixed(1)} s${counts}${describeBefore(comparison)} (\`${inCode(command)}\`)`;
}

function describeBefore(comparison: JudgedCheck['comparison']): string {
  if (comparison?.kind === 'red before') return '; it failed the same way before this change';
  const before = comparison?.kind === 'new' ? comparison.before : 0;
  return before > 0 ? `; ${before} of them failed before this change` : '';
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
    return `- **${severity}**${where === undefined ? '' : ` \`${inCode(where)}\``}: ${neutraliseMarkdown(`${what} ${why}`, maxFinding)}`;
  });
  return lines.join('\n');
}

function quote(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}
