import type { Operation, OperationDetail, PartDiff } from '@fettle/contract';
import { Command } from 'commander';
import { usageError } from '../cli-error.ts';
import { idArgument, resolveId } from '../server/resolve-id.ts';
import { describeDiff } from '../view/describe-diff.ts';
import { describePlanStatus } from '../view/describe-plan.ts';
import { stateMark } from '../view/describe-state.ts';
import { harmlessLine } from '../view/harmless.ts';
import { bold, dim, type Line } from '../view/line.ts';
import { printJson } from '../view/print-json.ts';
import { showDuration } from '../view/quantities.ts';
import { openTerminal } from '../view/terminal.ts';
import { showSecond, showZone } from '../view/text/local-time.ts';
import { wrapLine } from '../view/text/wrap-line.ts';

interface ShowOptions {
  diff?: boolean;
  part?: string;
  json?: boolean;
  color: boolean;
}

export function showCommand(): Command {
  return new Command('show')
    .argument(...idArgument)
    .description('Show one operation: its state, its outcome and the commands to inspect it.')
    .option('--diff', 'include the whole change')
    .option('--part <number>', 'only what was changed after this part (implies --diff)')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  fettle show op_01kxv3c9m2t8w4r6yq --part 12')
    .action((id: string, _options, command: Command) => show(id, command.optsWithGlobals()));
}

async function show(given: string, options: ShowOptions): Promise<void> {
  if (options.part !== undefined && !/^[1-9]\d{0,8}$/.test(options.part))
    throw usageError('--part needs the number of a part.', "Run 'fettle show --help'.");
  const { withServer } = await import('../server/with-server.ts');
  const { describeRevisionEnd } = await import('../view/describe-event.ts');
  const { describeMessage } = await import('../view/describe-message.ts');
  const { describeEffort, describeOutcome } = await import('../view/describe-outcome.ts');
  await withServer(async ({ client, fettle, warnIfStopped }) => {
    const id = await resolveId(client, given);
    if (options.part !== undefined) {
      const diff = await client.partDiff(id, options.part);
      return options.json ? printJson(diff) : showPart(diff, options.color);
    }
    const operation = await client.get(id);
    warnIfStopped([operation]);
    const messages = await client.messages(id);
    const { outcome, state } = operation;
    const pullRequest =
      outcome?.kind === 'proposal' ? await client.pullRequest(operation.id, outcome.pullRequest) : undefined;
    if (options.json)
      return printJson({ ...operation, messages, ...(options.diff && { diff: pullRequest?.diff ?? null }) });
    const terminal = openTerminal(process.stdout, { color: options.color });
    const width = terminal.width();
    const plan = state === 'awaiting_plan' ? await client.plan(id) : undefined;
    terminal.print([
      ...wrapLine(describeHead(operation), { width, indent: 2 }),
      ...wrapLine([dim('now: '), harmlessLine(operation.activity)], { width, indent: 2 }),
      ...wrapLine([dim(`${operation.kind}: `), harmlessLine(operation.request.description)], {
        width,
        indent: 2,
      }),
      ...messages.flatMap((message) => describeMessage(message, { state, width })),
      ...(plan ? describePlanStatus(plan, width) : []),
      ...(operation.endedRevisions ?? []).flatMap((ended) => describeRevisionEnd(ended, width)),
      [],
      ...(options.diff
        ? describeDiff(pullRequest?.diff ?? '', { width, lines: Number.POSITIVE_INFINITY })
        : []),
      ...(outcome ? describeOutcome({ operation, pullRequest, fettle, width }) : []),
      ...wrapLine(describeEffort(operation), { width, indent: 2 }),
      ...(operation.model === null ? [] : [[dim('model: '), harmlessLine(operation.model)]]),
      ...wrapLine([dim(describeHistory(operation))], { width, indent: 2 }),
    ]);
  });
}

/** Everything that was changed up to the end of a part. */
function showPart(diff: PartDiff, color: boolean): void {
  const terminal = openTerminal(process.stdout, { color });
  const width = terminal.width();
  if (diff.files.length === 0) terminal.print([[dim('no changes')]]);
  for (const { path, change, diff: text, omitted } of diff.files) {
    terminal.print([[bold(harmlessLine(path)), dim(`  ${change}`)]]);
    terminal.print(
      text === null
        ? [[dim(`  not shown: ${(omitted ?? '').replaceAll('_', ' ')}`)]]
        : describeDiff(text, { width, lines: Number.POSITIVE_INFINITY }),
    );
  }
  if (!diff.complete) terminal.print([[dim('a checkpoint is missing: there may be more changes')]]);
}

/** How long the operation was in each state. */
function describeHistory({ history }: OperationDetail): string {
  return history
    .map(({ state, seconds }) => `${state.replaceAll('_', ' ')} ${showDuration(seconds * 1000)}`)
    .join(', ');
}

function describeHead(operation: Operation): Line {
  const { id, state, stateSince, attempts, revision } = operation;
  const since = `${showSecond(stateSince)} ${showZone(stateSince)}`;
  const work = [
    ...(revision > 1 ? [`revision ${revision}`] : []),
    ...(attempts > 1 ? [`attempt ${attempts}`] : []),
  ];
  return [
    ...stateMark(operation),
    bold(id),
    ` ${state.replaceAll('_', ' ')}`,
    dim([` since ${since}`, ...work].join(', ')),
  ];
}
