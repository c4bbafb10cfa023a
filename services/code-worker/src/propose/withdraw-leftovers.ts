import type { Leftovers } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import { GitError, type Withdrawal, withdrawBranch } from '@fettle/git';
import type { Attempt } from '../attempt/attempt.ts';
import type { Worker } from '../attempt/worker.ts';
import { explainGit, protocolsOf } from '../mirror/git-access.ts';
import { mirrorIn } from '../mirror/mirror.ts';

/**
 * Removes the branches of an operation that ended without a proposal, no matter which worker pushed them. Tries once and
 * reports the result; the api schedules the next try.
 */
export async function withdrawLeftovers({ api, config, log }: Worker, operationId: string): Promise<void> {
  const { branches, unwanted, look, ...repository } = await api.leftovers(operationId);
  if (!unwanted) return;
  crashPoint('leftovers-known');
  const ends: Withdrawal['end'][] = [];
  for (const pushed of branches) {
    const withdrawal = await withdraw(config.home, repository, pushed);
    const { branch } = pushed;
    ends.push(withdrawal.end);
    if (withdrawal.end === 'withdrawn')
      log.info({ operationId, branch }, 'removed the branch of an operation without a proposal');
    if (withdrawal.end === 'refused')
      log.warn({ operationId, branch, why: withdrawal.reason }, 'could not remove a branch yet');
  }
  const found = ends.includes('refused') ? 'left' : 'gone';
  await api.reportCleanUp(operationId, { look, found: ends.length === 0 ? 'nothing_pushed' : found });
}

/**
 * Removes a branch that was pushed while the operation ended without a proposal: a running push cannot be recalled. Asks
 * the api instead of the attempt, because the attempt may have lost the operation.
 */
export async function withdrawIfUnwanted(
  { config, publish }: Pick<Attempt, 'config' | 'publish'>,
  { branch, headCommit: commit }: { branch: string; headCommit: string },
): Promise<void> {
  const { unwanted, ...repository } = await publish.readLeftovers();
  // If the removal is refused, the clean-up that the api schedules tries again.
  if (unwanted) await withdraw(config.home, repository, { branch, commit });
}

async function withdraw(
  home: string,
  { source, token }: Pick<Leftovers, 'source' | 'token'>,
  pushed: Leftovers['branches'][number],
): Promise<Withdrawal> {
  const mirror = mirrorIn(home, source.repositoryId);
  const access = { protocols: protocolsOf(source.url), token };
  try {
    return await withdrawBranch({ mirror, target: source.url, ...pushed, ...access });
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return { end: 'refused', reason: explainGit(error) };
  }
}
