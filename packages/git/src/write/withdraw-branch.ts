import { rm } from 'node:fs/promises';
import { mirrorExists } from '../mirror/create-mirror.ts';
import { listRemote, type Transport } from '../mirror/list-remote.ts';
import { runGit } from '../process/git-process.ts';
import { assertBranchName, assertObjectId } from '../process/names.ts';
import { makeScratchFolder } from '../process/scratch-folder.ts';
import { openSource, servingOption } from '../process/source.ts';
import { withTokenFile } from '../process/token-file.ts';
import type { PushCommitOptions } from './push-commit.ts';

/** `not_there`: the branch does not exist, or somebody moved it. `refused`: it still exists, and a retry may succeed. */
export type Withdrawal = { end: 'withdrawn' | 'not_there' } | { end: 'refused'; reason: string };

/** Deletes a branch if it is still at this commit. A branch that somebody moved is left alone. */
export async function withdrawBranch(options: PushCommitOptions): Promise<Withdrawal> {
  assertObjectId(options.commit);
  assertBranchName(options.branch);
  return withGitDir(options.mirror, (gitDir) => withdraw(gitDir, options));
}

/** Deleting needs no objects of the mirror. If the mirror is gone, an empty repository is enough. */
async function withGitDir<T>(mirror: string, use: (gitDir: string) => Promise<T>): Promise<T> {
  if (await mirrorExists(mirror)) return use(mirror);
  const scratch = await makeScratchFolder('git');
  try {
    await runGit({ gitDir: scratch, args: ['init', '--bare', '--quiet', '--template='] });
    return await use(scratch);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function withdraw(gitDir: string, options: PushCommitOptions): Promise<Withdrawal> {
  const { commit, branch, token, protocols, signal, timeoutMs = 60_000 } = options;
  const source = await openSource(options.target);
  return withTokenFile(token, async (env) => {
    const transport: Transport = { gitDir, source, env, protocols, signal, timeoutMs };
    const isThere = async () => (await listRemote(transport)).heads.get(branch) === commit;
    if (!(await isThere())) return { end: 'not_there' };
    const { source: _, ...rest } = transport;
    const { exitCode, stdout } = await runGit({
      ...rest,
      network: source.kind === 'remote',
      args: [
        ...['push', '--porcelain', '--no-verify', '--no-follow-tags', '--no-signed'],
        // Does not force: the target deletes the branch only if it is still at this commit.
        `--force-with-lease=refs/heads/${branch}:${commit}`,
        ...servingOption(source, 'receive-deletes'),
        ...['--', source.address, `:refs/heads/${branch}`],
      ],
      exitCodes: [0, 1],
    });
    if (exitCode === 0) return { end: 'withdrawn' };
    if (!(await isThere())) return { end: 'not_there' };
    const [, reason = 'it gave no reason'] = /^!\t[^\t]*\t(.*)$/m.exec(stdout.toString()) ?? [];
    return { end: 'refused', reason };
  });
}
