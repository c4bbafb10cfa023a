import type { Operation } from '@fettle/contract';
import { Command } from 'commander';
import { usageError } from '../cli-error.ts';
import { stateMark } from '../view/describe-state.ts';
import { harmlessLine } from '../view/harmless.ts';
import { bold, dim, type Line } from '../view/line.ts';
import { printJson } from '../view/print-json.ts';
import { openTerminal } from '../view/terminal.ts';
import { showMinute } from '../view/text/local-time.ts';

interface OperationsOptions {
  state?: string;
  kind?: string;
  repo?: string;
  limit?: string;
  cursor?: string;
  json?: boolean;
  color: boolean;
}

export function operationsCommand(): Command {
  return new Command('operations')
    .description('List operations, newest first.')
    .option('--state <state>', 'only operations in this state')
    .option('--kind <kind>', 'only operations of this kind')
    .option('--repo <repository>', 'only operations on this repository')
    .option('--limit <number>', 'how many, up to 200', '20')
    .option('--cursor <cursor>', 'continue where an earlier list ended')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  fettle operations --state awaiting_approval --limit 5')
    .action((_options, command: Command) => operations(command.optsWithGlobals()));
}

async function operations(options: OperationsOptions): Promise<void> {
  const filter = await readFilter(options);
  const { withServer } = await import('../server/with-server.ts');
  await withServer(async ({ client, warnIfStopped }) => {
    const list = await client.list(filter);
    warnIfStopped(list.operations);
    if (options.json) return printJson(list);
    const terminal = openTerminal(process.stdout, { color: options.color });
    const describe = terminal.width() < narrow ? describeLines : describeRow;
    terminal.print(list.operations.length > 0 ? list.operations.flatMap(describe) : [[dim('no operations')]]);
    if (list.nextCursor !== null) terminal.print([[dim(`there are more: --cursor ${list.nextCursor}`)]]);
  });
}

async function readFilter({ state, kind, repo, limit, cursor }: OperationsOptions) {
  const { describeIssue, operationFilterSchema } = await import('@fettle/contract');
  const { absoluteRepository } = await import('./run/local-repository.ts');
  const repository = repo === undefined ? undefined : absoluteRepository(repo);
  const given = Object.entries({ state, kind, repository, limit, cursor });
  const filter: Record<string, string> = Object.fromEntries(
    given.filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const parsed = operationFilterSchema.safeParse(filter);
  if (parsed.success) return filter;
  const { field, message } = describeIssue(parsed.error);
  throw usageError(`--${field}: ${message}.`, "Run 'fettle operations --help'.");
}

/** Below this, a row has no room for its description. */
const narrow = 90;

const proofOf = ({ outcome }: Operation) =>
  outcome?.kind === 'proposal' && outcome.proof ? `  ${outcome.proof}` : '';

/** For a narrow terminal. */
function describeLines(operation: Operation): Line[] {
  const { id, state, kind, request, createdAt } = operation;
  return [
    [...stateMark(operation), bold(id), ` ${state.replaceAll('_', ' ')}`, dim(proofOf(operation))],
    [dim(`  ${showMinute(createdAt)}  `), `${kind}: `, harmlessLine(request.description)],
  ];
}

function describeRow(operation: Operation): Line[] {
  const { id, state, kind, request, createdAt } = operation;
  return [
    [
      ...stateMark(operation),
      bold(id),
      dim(`  ${showMinute(createdAt)}  `),
      state.replaceAll('_', ' ').padEnd(18),
      kind.padEnd(10),
      dim(proofOf(operation).trim().padEnd(15)),
      harmlessLine(request.description),
    ],
  ];
}
