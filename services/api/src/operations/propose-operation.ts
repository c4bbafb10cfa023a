import { FettleError, type ProposalInput, type PullRequestRef } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import type { Dependencies } from '../dependencies.ts';

/** Opens the pull request of an operation. Its worker must still own it. */
export async function proposeOperation(
  { database, forge }: Dependencies,
  id: string,
  proposal: ProposalInput,
): Promise<{ pullRequest: PullRequestRef }> {
  const { state, repositoryId } = await database.operations.owned({ id, fence: proposal.fence });
  if (state !== 'proposing') throw new FettleError('conflict', `operation ${id} is ${state}, not proposing`);
  const pullRequest = await forge.openPullRequest({ ...proposal, operationId: id, repositoryId });
  crashPoint('pull-request-stored');
  return { pullRequest };
}
