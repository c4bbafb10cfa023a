/** Which mirrors operations still need: an unfinished one continues from its base commit and its checkpoints. */
import { isSettled, type Operation } from '@fettle/contract';
import { runProgram } from '@fettle/process';
import type { ApiClient } from '../../server/api-client.ts';
import { prunedMark } from './areas.ts';
import type { Entry } from './measure.ts';

export interface Needs {
  /** Operations that have begun and not ended. Their mirrors cannot be told from the others. */
  unfinished: string[];
  /** Operations whose proposal waits for a decision. */
  proposed: string[];
}

export async function listNeeds(client: Pick<ApiClient, 'list'>): Promise<Needs> {
  const operations: Operation[] = [];
  let cursor: string | null = null;
  do {
    const page = await client.list({ limit: '200', ...(cursor !== null && { cursor }) });
    operations.push(...page.operations);
    cursor = page.nextCursor;
  } while (cursor !== null);
  const ids = (found: Operation[]) => found.map(({ id }) => id);
  return {
    unfinished: ids(operations.filter(({ state, attempts }) => !isSettled(state) && attempts > 0)),
    proposed: ids(operations.filter(({ state }) => state === 'awaiting_approval')),
  };
}

/** A mirror that cannot be read is kept. */
export async function isUnneeded(mirror: Entry, { proposed }: Needs, searchPath: string): Promise<boolean> {
  if (isPartial(mirror)) return true;
  const argv = [
    'git',
    '--git-dir',
    mirror.path,
    'for-each-ref',
    '--format=%(refname)',
    'refs/fettle/checkpoints/',
  ];
  const { exitCode, stdout } = await runProgram(argv, {
    environment: { PATH: searchPath },
    timeoutMs: 60_000,
  });
  const refs = stdout.toString('utf8').split('\n');
  return exitCode === 0 && !refs.some((ref) => proposed.includes(ref.split('/')[3] ?? ''));
}

/** What a killed process left of creating or removing a mirror. */
const isPartial = ({ path }: Entry) => path.includes(prunedMark) || /\.git\.new-/.test(path);
