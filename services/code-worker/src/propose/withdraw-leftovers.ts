import type { Leftovers } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import { GitError, type Withdrawal, withdrawBranch } from '@fettle/git';
import type { Work } from '../attempt/attempt.ts';
import type { Worker } from '../attempt/run-attempt.ts';
import { explainGit, protocolsOf } from '../mirror/git-access.ts';
import { mirrorIn } from '../mirror/mirror-place.ts';

/**
 * An operation that ended without a proposal keeps no branch, whichever of its workers pushed it and died. One look;
 * what it came to is reported, and the api sends the next one.
 */
export async function withdrawLeftovers({ api, config, log }: Worker, operationId: string): Promise<void> {
  const { branches, unwanted, look, ...place } = await api.leftovers(operationId);
  if (!unwanted) return;
  crashPoint('leftovers-known');
  const ends: Withdrawal['end'][] = [];
  for (const pushed of branches) {
    const withdrawal = await withdraw(config.home, place, pushed);
    const { branch } = pushed;
    ends.push(withdrawal.end);
    if (withdrawal.end === 'withdrawn')
      log.info({ operationId, branch }, 'branch of an operation without a proposal withdrawn');
    if (withdrawal.end === 'refused')
      log.warn({ operationId, branch, why: withdrawal.reason }, 'a branch could not be withdrawn yet');
  }
  const found = ends.includes('refused') ? 'left' : 'gone';
  await api.reportCleanUp(operationId, { look, found: ends.length === 0 ? 'nothing_pushed' : found });
}

/**
 * A push cannot be called back while it is under way; what it brought to an operation that has ended meanwhile, and has
 * no proposal on record, is taken away again. Also by who lost the operation: the api is asked, and not the attempt.
 */
export async function withdrawIfUnwanted(
  { config, readLeftovers }: Work,
  { branch, headCommit: commit }: { branch: string; headCommit: string },
): Promise<void> {
  const { unwanted, ...place } = await readLeftovers();
  // Where it is refused, the clean-up that the operation is owed tries again.
  if (unwanted) await withdraw(config.home, place, { branch, commit });
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
