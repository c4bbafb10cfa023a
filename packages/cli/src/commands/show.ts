import type { Operation, OperationDetail } from '@fettle/contract';
import { Command } from 'commander';
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
  json?: boolean;
  color: boolean;
}

export function showCommand(): Command {
  return new Command('show')
    .argument(...idArgument)
    .description('Show one operation: its state, its outcome and the commands to inspect it.')
    .option('--diff', 'include the whole change')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  fettle show op_01kxv3c9m2t8w4r6yq --diff')
    .action((id: string, _options, command: Command) => show(id, command.optsWithGlobals()));
}

async function show(given: string, options: ShowOptions): Promise<void> {
  const { withServer } = await import('../server/with-server.ts');
  const { describeMessage } = await import('../view/describe-message.ts');
  const { describeEffort, describeOutcome } = await import('../view/describe-outcome.ts');
  await withServer(async ({ client, fettle, warnIfStopped }) => {
    const id = await resolveId(client, given);
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
