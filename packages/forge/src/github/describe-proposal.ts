/** What Fettle adds to the text of a pull request on GitHub, and the text of its check run. */
import { type Finding, placeOf, showUsd } from '@fettle/contract';
import type { Proposal, ProposalFacts } from '../forge.ts';

const maxBody = 65_000;
const maxAnnotations = 50;
const maxSummary = 60_000;

/** Identifies the operation of a pull request. Nobody sees it on the page. */
export const markerOf = (operationId: string) => `<!-- fettle:operation=${operationId} -->`;

export function describeBody(
  { body, operationId }: Pick<Proposal, 'body' | 'operationId'>,
  { requester, requestUrl, usd }: ProposalFacts,
): string {
  const who = requestUrl === undefined ? plain(requester) : `${plain(requester)} ([request](${requestUrl}))`;
  const footer = [
    '---',
    `Requested by ${who} · cost ${showUsd(usd)} · operation \`${operationId}\``,
    'To change something, write a review, or a comment that starts with `@fettle`. `/fettle stop` ends the work.',
    markerOf(operationId),
  ].join('\n\n');
  return `${body.slice(0, maxBody - footer.length)}\n\n${footer}`;
}

/** A name must not mention people or become a link. */
const plain = (text: string) =>
  text
    .replace(/\p{C}+/gu, ' ')
    .replace(/[\\<>#[\]*_`|]/g, (sign) => `\\${sign}`)
    .replaceAll('@', '@\u200b')
    .slice(0, 200);

const levels = { blocking: 'failure', important: 'warning', minor: 'notice' } as const;

export function describeCheck({ draft }: Pick<Proposal, 'draft'>, facts: ProposalFacts) {
  const { findings, proof, message } = facts;
  const result = proof ?? 'unproven';
  const lines = [
    draft ? `**This is a draft.** ${message ?? ''}` : `The change is ${result}.`,
    ...findings.map(describeFinding),
  ];
  return {
    conclusion: draft
      ? ('failure' as const)
      : proof === 'proven'
        ? ('success' as const)
        : ('neutral' as const),
    output: {
      title: draft ? 'Draft' : result,
      summary: lines.join('\n\n').slice(0, maxSummary),
      annotations: findings.flatMap(toAnnotation).slice(0, maxAnnotations),
    },
  };
}

function describeFinding(finding: Finding): string {
  const place = placeOf(finding);
  return `- ${finding.severity}${place === undefined ? '' : ` \`${place.replaceAll('`', "'")}\``}: ${plain(finding.what)}`;
}

function toAnnotation({ file, line, severity, what, why }: Finding) {
  if (file === undefined || line === undefined) return [];
  return [
    {
      ...{ path: file, start_line: line, end_line: line },
      annotation_level: levels[severity],
      title: `${severity} finding of the review`,
      message: `${what}\n\n${why}`,
    },
  ];
}
