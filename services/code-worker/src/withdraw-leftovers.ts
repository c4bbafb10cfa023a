import { withdrawBranch } from '@fettle/git';
import { mirrorIn } from './mirror-place.ts';
import type { Worker } from './work-operation.ts';

/** An operation that ended without a proposal keeps no branch, whichever of its workers pushed it and died. */
export async function withdrawLeftovers({ api, config, log }: Worker, operationId: string): Promise<void> {
  const { source, branches } = await api.leftovers(operationId);
  const mirror = mirrorIn(config.home, source.repositoryId);
  for (const { branch, commit } of branches) {
    const withdrawn = await withdrawBranch({ mirror, target: source.url, branch, commit });
    if (withdrawn) log.info({ operationId, branch }, 'branch of an operation without a proposal withdrawn');
  }
}
