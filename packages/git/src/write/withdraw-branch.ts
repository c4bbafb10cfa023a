import { rm } from 'node:fs/promises';
import { mirrorExists } from '../mirror/create-mirror.ts';
import { listRemote, type Transport } from '../mirror/list-remote.ts';
import { runGit } from '../process/git-process.ts';
import { assertBranchName, assertObjectId } from '../process/names.ts';
import { makeScratchFolder } from '../process/scratch-folder.ts';
import { openSource, servingOption } from '../process/source.ts';
import { withTokenFile } from '../process/token-file.ts';
import type { PushCommitOptions } from './push-commit.ts';

/** `not_there`: there is no such branch, or somebody moved it. `refused`: it is there still, and may go another time. */
export type Withdrawal = { end: 'withdrawn' | 'not_there' } | { end: 'refused'; reason: string };

/** Takes a branch away again, if it is at that commit still; one that somebody moved is left alone. */
export async function withdrawBranch(options: PushCommitOptions): Promise<Withdrawal> {
  assertObjectId(options.commit);
  assertBranchName(options.branch);
  return withGitDir(options.mirror, (gitDir) => withdraw(gitDir, options));
}

/** Taking away needs none of the mirror's objects: where that is gone, as a cache may be, an empty one does. */
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
        // Not a force: the target deletes it only where it still is what we saw.
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
