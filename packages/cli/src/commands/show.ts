import type { Operation, OperationDetail } from '@fettle/contract';
import { type ExitCode, exitCodes } from '../cli-error.ts';
import { fettleCommand } from '../process/fettle-command.ts';
import { look } from '../server/with-server.ts';
import { describeDiff } from '../view/describe-diff.ts';
import { describeMessage } from '../view/describe-message.ts';
import { describeEffort, describeOutcome } from '../view/describe-outcome.ts';
import { describePlanStatus } from '../view/describe-plan.ts';
import { harmlessLine } from '../view/harmless.ts';
import { bold, dim, type Line } from '../view/line.ts';
import { printJson } from '../view/print-json.ts';
import { showDuration } from '../view/quantities.ts';
import { stateMark } from '../view/state-mark.ts';
import { openTerminal } from '../view/terminal.ts';

export interface ShowOptions {
  diff?: boolean;
  json?: boolean;
  color: boolean;
}

export async function show(id: string, options: ShowOptions): Promise<ExitCode> {
  return look(async ({ client, config, tellStandstill }) => {
    const operation = await client.get(id);
    tellStandstill([operation]);
    const messages = await client.messages(id);
    const { outcome, state } = operation;
    const pullRequest =
      outcome?.kind === 'proposal' ? await client.pullRequest(outcome.pullRequest.url) : undefined;
    if (options.json) {
      printJson({ ...operation, messages, ...(options.diff && { diff: pullRequest?.diff ?? null }) });
      return exitCodes.done;
    }
    const terminal = openTerminal(process.stdout, { color: options.color });
    const width = terminal.width();
    const fettle = fettleCommand(config);
    const plan = state === 'awaiting_plan' ? await client.plan(id) : undefined;
    terminal.print([
      describeHead(operation),
      [dim('now: '), harmlessLine(operation.activity)],
      [dim(`${operation.kind}: `), harmlessLine(operation.request.description)],
      ...messages.flatMap((message) => describeMessage(message, { state, width })),
      ...(plan ? describePlanStatus(plan, width) : []),
      [],
      ...(options.diff ? describeDiff(pullRequest?.diff ?? '', { lines: Number.POSITIVE_INFINITY }) : []),
      ...(outcome ? describeOutcome({ operation, pullRequest, fettle, width }) : []),
      describeEffort(operation),
      [dim(describeHistory(operation))],
    ]);
    return exitCodes.done;
  });
}

/** Where the time went. */
function describeHistory({ history }: OperationDetail): string {
  return history
    .map(({ state, seconds }) => `${state.replaceAll('_', ' ')} ${showDuration(seconds * 1000)}`)
    .join(', ');
}

function describeHead({ id, state, stateSince, attempts }: Operation): Line {
  const since = stateSince.slice(0, 19).replace('T', ' ');
  const tries = attempts > 1 ? `, attempt ${attempts}` : '';
  return [
    ...stateMark(state),
    bold(id),
    ` ${state.replaceAll('_', ' ')}`,
    dim(` since ${since} UTC${tries}`),
  ];
}
