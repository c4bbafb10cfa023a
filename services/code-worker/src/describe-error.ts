import { GitError } from '@fettle/git';
import { SandboxError } from '@fettle/sandbox';

/** What people read as the reason of an end. */
export function describeError(error: unknown): string {
  if (error instanceof GitError || error instanceof SandboxError) return error.message;
  return `${(error as Error).name}: ${(error as Error).message}`.slice(0, 1_000);
}
