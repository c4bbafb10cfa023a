/** Turns an event into lines. A pure function, so that tests can compare the whole output. */
import { describeCounts } from '@fettle/checks';
import { type CheckResult, type Event, isSettled, placeOf, reasons, type State } from '@fettle/contract';
import { describeDiff } from './describe-diff.ts';
import { describeOutput } from './describe-excerpt.ts';
import { describeSaid } from './describe-message.ts';
import { describePart, mainArgument } from './describe-part.ts';
import { describeDecision, describePlan } from './describe-plan.ts';
import { harmless, harmlessLine } from './harmless.ts';
import { bold, cyan, dim, green, type Line, red, yellow } from './line.ts';
import { shortHash, showDuration } from './quantities.ts';
import { showClock } from './text/local-time.ts';
import { wrapText } from './text/text-width.ts';
import { wrapLine } from './text/wrap-line.ts';

export function describeEvent(event: Event, width: number): Line[] {
  switch (event.type) {
    case 'operation.created': {
      const { kind, description, repository, operationId } = event;
      return [
        [bold(`${kind}: ${harmlessLine(description)}`)],
        [dim(`${operationId} on ${harmlessLine(repository)}`)],
      ];
    }
    case 'operation.state':
      return describeState(event);
    case 'attempt.started':
      return event.attempt > 1 ? [[dim(`  attempt ${event.attempt} by ${harmlessLine(event.worker)}`)]] : [];
    case 'notice':
      return describeNotice(event, width);
    case 'workspace.ready': {
      const { baseBranch, baseCommit, sandbox, model, durationMs } = event;
      const uses = model === undefined ? '' : `, model ${harmlessLine(model)}`;
      const base = `${harmlessLine(baseBranch)} at ${shortHash(baseCommit)}`;
      const line = `  workspace ready: ${base}, sandbox ${sandbox}${uses}, ${showDuration(durationMs)}`;
      return wrapLine([dim(line)], { width, indent: 4 });
    }
    case 'sandbox.used': {
      if (event.soFar) return [];
      const megabytes = Math.round(event.memoryPeakBytes / 1024 ** 2);
      return [[dim(`  sandbox used ${showDuration(event.cpuMs)} of CPU time, ${megabytes} MB of memory`)]];
    }
    case 'check.finished':
      return describeCheck(event, width);
    case 'turn.retried': {
      const pause = showDuration(event.pauseMs);
      return [[yellow(`  the model did not answer (${harmlessLine(event.message)}); retrying in ${pause}`)]];
    }
    case 'turn.failed':
      return [[red(`  ✗ ${reasons[event.reason]}`), dim(` ${harmlessLine(event.message)}`)]];
    case 'turn.finished':
      return event.stopReason === 'cut' ? [[yellow('  ! the answer was cut off at the token limit')]] : [];
    case 'review.finished':
      return describeReview(event);
    case 'conversation.compacted':
      return [
        [
          dim(
            `  the conversation was compacted from about ${event.tokensBefore} to ${event.tokensAfter} tokens`,
          ),
        ],
      ];
    case 'part.finished':
      return describePart(event.part, width);
    case 'proposal.opened':
      return [[], ...describeDiff(event.diff, { width })];
    case 'proposal.committed':
      return wrapLine(
        [dim(`  pushing commit ${shortHash(event.headCommit)} to ${harmlessLine(event.branch)}`)],
        { width, indent: 4 },
      );
    case 'message.said':
      return describeSaid(event.message, width);
    case 'turn.started': {
      const { messages = [], turn } = event;
      return messages.length > 0
        ? [[dim(`  the agent sees message ${messages.join(', ')} in turn ${turn}`)]]
        : [];
    }
    case 'plan.proposed':
      return describePlan(event.version, event.plan, width);
    case 'plan.decided':
      return [[describeDecision(event)]];
    case 'revision.started':
      return [[], [bold(`revision ${event.revision}`), dim(` requested by ${harmlessLine(event.by)}`)]];
    case 'branch.followed':
      if (!event.byOthers) return [];
      return wrapLine(
        [dim(`  ${harmlessLine(event.branch)} has new commits; continuing at ${shortHash(event.commit)}`)],
        { width, indent: 4 },
      );
    case 'revision.ended':
      return describeRevisionEnd(event, width);
    case 'operation.settled':
    case 'checkpoint.written':
    case 'part.started':
      return [];
  }
}

/** The status line after this event. Undefined if it does not change. */
export function describeStatus(event: Event): string | undefined {
  switch (event.type) {
    case 'operation.created':
      return 'queued';
    case 'operation.state':
      return event.to.replaceAll('_', ' ');
    case 'turn.started':
      return `turn ${event.turn}: the model is thinking`;
    case 'turn.retried':
      return `turn ${event.turn}: waiting for the model`;
    case 'part.started':
      return `${harmlessLine(event.part.tool)} ${mainArgument(event.part.input)}`.trimEnd();
    default:
      return undefined;
  }
}

const proposed: State[] = ['awaiting_approval', 'approved'];

function describeState({
  at,
  from,
  to,
  reason,
  message,
}: Extract<Event, { type: 'operation.state' }>): Line[] {
  // The outcome shows how the operation ended, except for the end of a proposal, which was shown before.
  if (isSettled(to) && !proposed.includes(from)) return [];
  const why = message ?? (reason && reasons[reason]);
  return [
    [
      cyan('▸ '),
      bold(to.replaceAll('_', ' ')),
      dim(`  ${showClock(at)}`),
      why ? dim(`  ${harmlessLine(why)}`) : '',
    ],
  ];
}

export function describeRevisionEnd(
  { revision, outcome }: Pick<Extract<Event, { type: 'revision.ended' }>, 'revision' | 'outcome'>,
  width: number,
): Line[] {
  const what = outcome.kind === 'failure' ? reasons[outcome.reason] : 'No change was needed.';
  const why = outcome.kind === 'answer' ? outcome.answer : 'message' in outcome ? outcome.message : '';
  const head = yellow(`  revision ${revision} ended without a new commit: ${what}`);
  return [[head], ...wrapText(harmless(why ?? ''), width - 4).map((line): Line => [`    ${line}`])];
}

function describeNotice({ level, message }: Extract<Event, { type: 'notice' }>, width: number): Line[] {
  const [mark, style] = level === 'warning' ? ['!', yellow] : ['i', dim];
  return wrapText(harmless(message), width - 4).map((line, index) => [
    style(`  ${index === 0 ? mark : ' '} ${line}`),
  ]);
}

function describeReview({ findings, problem }: Extract<Event, { type: 'review.finished' }>): Line[] {
  if (problem !== undefined)
    return [[yellow(`  ! the review could not be finished: ${harmlessLine(problem)}`)]];
  if (findings.length === 0) return [['  ', green('✓ '), dim('the review found nothing')]];
  return findings.map(({ severity, what, ...place }) => {
    const mark = severity === 'blocking' ? red('✗ ') : yellow('! ');
    const where = placeOf(place);
    return [
      '  ',
      mark,
      bold(severity),
      where ? dim(` ${harmlessLine(where)}`) : '',
      ` ${harmlessLine(what)}`,
    ];
  });
}

const phases = {
  setup: 'set-up',
  verify: 'in the workspace',
  fresh: 'in a fresh sandbox',
  base: 'before the change',
  evidence: 'on the base, with the tests of the change',
};

function describeCheck({ phase, check }: Extract<Event, { type: 'check.finished' }>, width: number): Line[] {
  const { name, command, status, durationMs, output, report } = check;
  const ok = status === 'passed';
  const isBase = phase === 'base' || phase === 'evidence';
  const counts = report ? `  ${describeCounts(report)}` : '';
  const line: Line = [
    '  ',
    describeCheckStatus(check, isBase),
    bold(name),
    dim(` ${phases[phase]}  ${harmlessLine(command)}  ${showDuration(durationMs)}${counts}`),
  ];
  // Failures before the change are shown by the check that is compared with them.
  const head = wrapLine(line, { width, indent: 4 });
  if (ok || isBase) return head;
  return [...head, ...describeOutput(output, ok)];
}

/** A check that fails on the base is information, and often what the request is about. */
function describeCheckStatus({ status, obstacle, exitCode }: CheckResult, isBase: boolean): Line[number] {
  if (isBase && status !== 'could_not_run') return dim(status === 'passed' ? 'passes: ' : 'fails: ');
  if (status === 'passed') return green('✓ passed ');
  if (status === 'failed') return red(`✗ failed (exit code ${exitCode}) `);
  return yellow(`– could not run (${harmlessLine(obstacle?.message ?? '').replace(/\.$/, '')}) `);
}
