import type { ReasonCode } from '@fettle/contract';
import { GitError } from '@fettle/git';
import type { Attempt } from '../attempt/attempt.ts';
import { RetryLater } from '../attempt/ends.ts';
import type { GitAccess } from './git-access.ts';

/** Runs git with a token, and once more with a new one if the host refuses it: it may have been revoked early. */
export async function withGitAccess<T>(
  { ownership }: Pick<Attempt, 'ownership'>,
  act: (access: GitAccess) => Promise<T>,
): Promise<T> {
  const access = await ownership.gitAccess();
  try {
    return await act(access);
  } catch (error) {
    if (access.token === undefined || !(error instanceof GitError) || error.code !== 'auth_required')
      throw error;
    const renewed = await ownership.gitAccess({ refused: access.token });
    if (renewed.token === access.token) throw error;
    return act(renewed);
  }
}

/** Work for a forge waits until the forge can be reached, however often. Other repositories may be gone for good. */
export function retryLater(
  { claim }: Pick<Attempt, 'claim'>,
  { reason, message }: { reason: ReasonCode; message: string },
): RetryLater {
  const isForge = claim.source.forge !== 'local';
  if (!isForge || reason !== 'repository_unreachable') return new RetryLater(reason, message);
  return new RetryLater('forge_unavailable', message, { why: 'waits' });
}
