/** The repository that the demo works on: real files, real git, made anew each time. */
import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const template = join(import.meta.dirname, 'repository');

export interface Git {
  folder: string;
  searchPath: string;
}

export async function makeRepository(git: Git): Promise<void> {
  await cp(template, git.folder, { recursive: true });
  await runGit(git, ['init', '--quiet', '--initial-branch=main']);
  await runGit(git, ['add', '--all']);
  await runGit(git, ['commit', '--quiet', '--message=Split bills and settle up among friends']);
}

export async function hasBranch(git: Git, branch: string): Promise<boolean> {
  try {
    await runGit(git, ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`]);
    return true;
  } catch {
    return false;
  }
}

/** With none of the person's own settings: a signing key or a hook of theirs has no business here. */
async function runGit({ folder, searchPath }: Git, args: string[]): Promise<void> {
  const who = { NAME: 'Ana Lima', EMAIL: 'ana@example.com' };
  await promisify(execFile)('git', args, {
    cwd: folder,
    env: {
      PATH: searchPath,
      HOME: folder,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_AUTHOR_NAME: who.NAME,
      GIT_AUTHOR_EMAIL: who.EMAIL,
      GIT_COMMITTER_NAME: who.NAME,
      GIT_COMMITTER_EMAIL: who.EMAIL,
    },
  });
}
