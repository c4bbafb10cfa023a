/** Shows how an operation ended, with the commands to inspect the result. */
import {
  type Evidence,
  type Operation,
  type Outcome,
  type ProofStatus,
  reasons,
  showUsd,
} from '@fettle/contract';
import type { PullRequest } from '../server/api-client.ts';
import { describeDoubts } from './describe-doubts.ts';
import { harmless, harmlessLine } from './harmless.ts';
import { bold, copyable, cyan, dim, green, type Line, lineWidth, red, textOf, yellow } from './line.ts';
import { shortHash, showCount, showDuration } from './quantities.ts';
import { quoteArgument } from './shell-quote.ts';
import { cutText, wrapText } from './text/text-width.ts';
import { wrapLines } from './text/wrap-line.ts';

export interface OutcomeOptions {
  operation: Operation;
  /** Only for a proposal. */
  pullRequest: PullRequest | undefined;
  /** The command line that starts fettle in the user's shell. */
  fettle: string;
  width: number;
}

export function describeOutcome(options: OutcomeOptions): Line[] {
  const { operation, width } = options;
  const { outcome } = operation;
  if (!outcome) return [[bold(operation.state.replaceAll('_', ' ')), dim('  no outcome yet')]];
  switch (outcome.kind) {
    case 'proposal':
      return [
        ...describeProposal(outcome, options),
        ...describeRemarks(options.pullRequest?.body ?? '', width),
        [],
        ...whereToLook(outcome, options),
      ];
    case 'answer':
      return [
        [green('✓ '), bold('answered')],
        ...wrapText(harmless(outcome.answer), width).map((line): Line => [line]),
      ];
    case 'unchanged':
      return [
        [yellow('• '), bold('nothing to change')],
        ...wrapText(harmless(outcome.message), width).map((line): Line => [line]),
      ];
    case 'failure': {
      const head = operation.state === 'cancelled' ? yellow('✗ cancelled') : red('✗ failed');
      const lines = wrapText(harmless(outcome.message), width - 2);
      return [[head, `  ${reasons[outcome.reason]}`], ...lines.map((line): Line => [dim(`  ${line}`)])];
    }
  }
}

/** Parts, turns, tokens, cost and duration on one line. */
export function describeEffort({ totals, createdAt, settledAt }: Operation): Line {
  const { parts, turns, tokens, usd } = totals;
  const counts = [showCount(parts, 'part'), showCount(turns, 'turn'), showCount(tokens, 'token')];
  if (usd > 0) counts.push(showUsd(usd));
  const duration = settledAt && showDuration(Date.parse(settledAt) - Date.parse(createdAt));
  return [dim([...counts, ...(duration ? [duration] : [])].join(' · '))];
}

type Proposal = Extract<Outcome, { kind: 'proposal' }>;

function describeProposal(proposal: Proposal, { pullRequest, width }: OutcomeOptions): Line[] {
  const { draft, branch, headCommit, reason, message, proof, evidence } = proposal;
  const into = pullRequest ? dim(` → ${harmlessLine(pullRequest.baseBranch)}`) : '';
  const why = [reason && reasons[reason], message].filter(Boolean).join(' ');
  const rows: Line[] = [
    [bold(harmlessLine(proposal.pullRequest.title))],
    [dim('branch  '), cyan(harmlessLine(branch)), into],
    [dim('commit  '), shortHash(headCommit)],
  ];
  if (pullRequest) {
    const { files, added, deleted } = pullRequest.stat;
    rows.push([
      dim('change  '),
      `${showCount(files, 'file')}  `,
      green(`+${added}`),
      ' ',
      red(`−${deleted}`),
    ]);
  }
  if (proof) rows.push([dim('proof   '), ...describeProof(proof, evidence)], ...describeDoubts(evidence));
  if (draft) rows.push([dim('draft   '), yellow(harmlessLine(why || 'not finished'))]);
  const isOpen = ['open', 'draft'].includes(pullRequest?.state ?? 'open');
  const closed = pullRequest && !isOpen ? ` (${harmlessLine(pullRequest.state)})` : '';
  return box(
    `${draft ? 'Draft proposal' : 'Proposal'} #${proposal.pullRequest.number}${closed}`,
    rows,
    width,
  );
}

function describeProof(proof: ProofStatus, evidence: Evidence | undefined): Line {
  const mark = proof === 'proven' ? green('✓ proven') : yellow(proof);
  if (!evidence) return [mark];
  const { passed, redBefore, failed, couldNotRun, fault } = evidence;
  const counts = [
    passed.length > 0 && `${passed.length} passed`,
    failed.length > 0 && `${failed.length} failed`,
    redBefore.length > 0 && `${redBefore.length} red as before`,
    couldNotRun.length > 0 && `${couldNotRun.length} could not run`,
    fault?.status === 'shown' &&
      `${showCount(fault.failsBefore.length, 'test')} failed before and passed after`,
    fault?.status === 'none' && 'no test shows the fault',
  ].filter((count) => count !== false);
  return [mark, dim(counts.length > 0 ? `  ${counts.join(', ')}` : '')];
}

const labelWidth = 'branch  '.length;

function box(title: string, rows: Line[], width: number): Line[] {
  const inner = Math.min(width - 4, Math.max(title.length + 2, ...rows.map(lineWidth)));
  const edge = (text: string) => green(text);
  return [
    [edge('╭─ '), bold(title), edge(` ${'─'.repeat(Math.max(0, inner - title.length - 1))}╮`)],
    ...wrapLines(rows, { width: inner, indent: labelWidth }).map((row): Line => {
      const fitted = fitRow(row, inner);
      return [edge('│ '), ...fitted, ' '.repeat(inner - lineWidth(fitted)), edge(' │')];
    }),
    [edge(`╰${'─'.repeat(inner + 2)}╯`)],
  ];
}

function fitRow(row: Line, width: number): Line {
  let left = width;
  return row.map((piece) => {
    const text = cutText(textOf(piece), Math.max(left, 0));
    left -= lineWidth([text]);
    return typeof piece === 'string' ? text : { ...piece, text };
  });
}

function whereToLook(
  { branch, pullRequest: { url } }: Proposal,
  { operation, pullRequest, fettle }: OutcomeOptions,
): Line[] {
  const { id, request } = operation;
  const local = request.repository.startsWith('/');
  const git = `git -C ${quoteArgument(harmlessLine(request.repository))}`;
  const name = quoteArgument(harmlessLine(branch));
  const range = pullRequest && quoteArgument(harmlessLine(`${pullRequest.baseBranch}...${branch}`));
  const commands = [
    ...(/^https?:/.test(url) ? [harmlessLine(url)] : []),
    ...(local ? [`${git} show ${name}`] : []),
    ...(local && range ? [`${git} diff ${range}`] : []),
    `${fettle} show ${id} --diff`,
    `${fettle} logs ${id}`,
  ];
  return [[bold('Where to look')], ...commands.map((command): Line => ['  ', copyable(command)])];
}

/**
 * The remarks that the description of a pull request lists for its reviewer. Text of the agent or of the request
 * cannot forge them: the worker leaves no heading in it.
 */
function describeRemarks(body: string, width: number): Line[] {
  const [, section = ''] = body.split(/^### To look at\n/m);
  const [list = ''] = section.split(/\n(?:### |<details>)/);
  const remarks = list.split('\n').filter((line) => line.startsWith('- '));
  if (remarks.length === 0) return [];
  const lines = remarks.flatMap((remark) =>
    wrapText(harmless(remark.slice(2)).replaceAll('`', ''), width - 4).map(
      (line, index): Line => [index === 0 ? yellow('  ! ') : '    ', line],
    ),
  );
  return [[], [bold('To look at')], ...lines];
}
