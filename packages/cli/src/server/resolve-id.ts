/** Turns what a user calls an operation (an id, part of one, or `latest`) into its id. */
import { CliError, exitCodes, usageError } from '../cli-error.ts';
import type { ApiClient } from './api-client.ts';

/** The help of every command that takes an id. */
export const idArgument = [
  '<id>',
  "the operation: its id, a unique beginning or end of it, or 'latest'",
] as const;

const shownMatches = 5;

export async function resolveId(client: Pick<ApiClient, 'list'>, given: string): Promise<string> {
  if (/^op_[0-9a-z]{18}$/.test(given)) return given;
  if (given === 'latest') {
    const [newest] = (await client.list({ limit: '1' })).operations;
    if (newest) return newest.id;
    throw notFound('there are no operations yet', "Start one with 'fettle run'.");
  }
  const part = given.toLowerCase();
  if (!/^[a-z0-9_]{1,100}$/.test(part)) throw usageError(`'${given}' is not an operation id.`, advice);
  const { operations } = await client.list({ id: part, limit: String(shownMatches + 1) });
  const ids = operations.map(({ id }) => id);
  const [first] = ids;
  if (first === undefined) throw notFound(`there is no operation ${given}`, advice);
  if (ids.length === 1 || ids.includes(part)) return ids.includes(part) ? part : first;
  const more = ids.length > shownMatches ? ', …' : '';
  throw usageError(
    `'${given}' is not unique: ${ids.slice(0, shownMatches).join(', ')}${more}`,
    'Give more of the id. The end of an id differs the most.',
  );
}

const advice = "'fettle operations' lists the ids. 'latest' is the newest operation.";

function notFound(message: string, help: string): CliError {
  return new CliError('not_found', message, { exitCode: exitCodes.failed, advice: help });
}
