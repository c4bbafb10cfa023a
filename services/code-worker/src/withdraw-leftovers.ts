import { setTimeout as delay } from 'node:timers/promises';
import { withdrawBranch } from '@fettle/git';
import { protocolsOf } from './git-access.ts';
import { mirrorIn } from './mirror-place.ts';
import type { Worker } from './work-operation.ts';

/** A push may outlive the worker that began it by a moment, so that there is a second look. */
const looksAfterMs = [0, 5_000];

/** An operation that ended without a proposal keeps no branch, whichever of its workers pushed it and died. */
export async function withdrawLeftovers({ api, config, log }: Worker, operationId: string): Promise<void> {
  const { source, branches, token } = await api.leftovers(operationId);
  const access = { protocols: protocolsOf(source.url), token };
  const mirror = mirrorIn(config.home, source.repositoryId);
  for (const { branch, commit } of branches) {
    for (const ms of looksAfterMs) {
      await delay(ms);
      if (!(await withdrawBranch({ mirror, target: source.url, branch, commit, ...access }))) continue;
      log.info({ operationId, branch }, 'branch of an operation without a proposal withdrawn');
      break;
    }
  }
}
