import { GitError } from './git-error.ts';
import { assertEnded, type GitCall, startGit } from './git-process.ts';
import { assertObjectId } from './names.ts';

interface PackTreeOptions {
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
}

/**
 * A packfile with that commit and its whole tree, without its parents: what a clone of depth one needs.
 * It is made as fast as it is read.
 */
export async function* packTree(
  mirror: string,
  commit: string,
  { signal, timeoutMs = 10 * 60_000 }: PackTreeOptions = {},
): AsyncGenerator<Buffer, void, undefined> {
  assertObjectId(commit);
  const call: GitCall = {
    gitDir: mirror,
    // Looking for new deltas costs more than the bytes it saves on this machine.
    args: ['pack-objects', '--stdout', '--revs', '--shallow', '--delta-base-offset', '--window=0', '--quiet'],
    signal,
    timeoutMs,
  };
  const git = startGit(call);
  git.stdin.end(`--shallow ${commit}\n${commit}\n`);
  try {
    for await (const chunk of git.stdout) yield chunk;
    assertEnded(call, await git.ended);
  } finally {
    git.stop(new GitError('cancelled', 'Nobody reads the pack any more.'));
    await git.ended;
  }
}
