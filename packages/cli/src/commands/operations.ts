import { describeIssue, type Operation, operationFilterSchema } from '@fettle/contract';
import { type ExitCode, exitCodes, usageError } from '../cli-error.ts';
import { look } from '../server/with-server.ts';
import { harmlessLine } from '../view/harmless.ts';
import { bold, dim, type Line } from '../view/line.ts';
import { printJson } from '../view/print-json.ts';
import { stateMark } from '../view/state-mark.ts';
import { openTerminal } from '../view/terminal.ts';
import { absoluteRepository } from './run/build-request.ts';

export interface OperationsOptions {
  state?: string;
  kind?: string;
  repo?: string;
  limit?: string;
  cursor?: string;
  json?: boolean;
  color: boolean;
}

export async function operations(options: OperationsOptions): Promise<ExitCode> {
  const filter = readFilter(options);
  return look(async ({ client, tellStandstill }) => {
    const list = await client.list(filter);
    tellStandstill(list.operations);
    if (options.json) {
      printJson(list);
      return exitCodes.done;
    }
    const terminal = openTerminal(process.stdout, { color: options.color });
    terminal.print(list.operations.length > 0 ? list.operations.map(describeRow) : [[dim('no operations')]]);
    if (list.nextCursor !== null) terminal.print([[dim(`there are more: --cursor ${list.nextCursor}`)]]);
    return exitCodes.done;
  });
}

function readFilter({ state, kind, repo, limit, cursor }: OperationsOptions): Record<string, string> {
  const repository = repo === undefined ? undefined : absoluteRepository(repo);
  const given = Object.entries({ state, kind, repository, limit, cursor });
  const filter = Object.fromEntries(
    given.filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const parsed = operationFilterSchema.safeParse(filter);
  if (parsed.success) return filter;
  const { field, message } = describeIssue(parsed.error);
  throw usageError(`--${field}: ${message}.`);
}

function describeRow({ id, state, kind, request, createdAt }: Operation): Line {
  return [
    ...stateMark(state),
    bold(id),
    dim(`  ${createdAt.slice(0, 16).replace('T', ' ')}  `),
    state.replaceAll('_', ' ').padEnd(18),
    kind.padEnd(10),
    harmlessLine(request.description),
  ];
}
