/**
 * Inspects a user's repository without running programs of its config. `git status` would run them (fsmonitor,
 * filters, …), so it runs with a git directory of our own that has an empty config and uses the index and the objects
 * of the repository. Attributes may then name a filter, but no config defines it.
 */
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { runGit } from '../process/git-process.ts';
import { makeScratchFolder } from '../process/scratch-folder.ts';

export interface SourceInspection {
  isRepository: boolean;
  isBare: boolean;
  /** Tracked files that differ from HEAD, or new files that are not ignored. */
  hasUncommittedChanges: boolean;
  /** Undefined for a detached HEAD. */
  currentBranch: string | undefined;
}

interface Layout {
  /** Contains HEAD and the index. */
  gitDir: string;
  /** Contains objects and refs. Differs from gitDir in a linked work tree. */
  commonDir: string;
  workTree: string | undefined;
}

const noRepository: SourceInspection = {
  isRepository: false,
  isBare: false,
  hasUncommittedChanges: false,
  currentBranch: undefined,
};

export async function inspectSource(localPath: string): Promise<SourceInspection> {
  const layout = await findLayout(resolve(localPath));
  if (!layout) return noRepository;
  const [headRef, headCommit] = await Promise.all([
    readLine(layout.gitDir, ['symbolic-ref', '--quiet', 'HEAD']),
    readLine(layout.gitDir, ['rev-parse', '--verify', '--quiet', 'HEAD']),
  ]);
  return {
    isRepository: true,
    isBare: layout.workTree === undefined,
    hasUncommittedChanges: await hasUncommittedChanges(layout, headCommit),
    currentBranch: headRef.startsWith('refs/heads/') ? headRef.slice('refs/heads/'.length) : undefined,
  };
}

async function findLayout(path: string): Promise<Layout | undefined> {
  const dotGit = join(path, '.git');
  const found = await stat(dotGit).catch(() => undefined);
  if (found?.isDirectory()) return withCommonDir(dotGit, path);
  if (found?.isFile()) {
    const [, target] = /^gitdir: (.+)$/m.exec(await readFile(dotGit, 'utf8')) ?? [];
    return target ? withCommonDir(resolve(path, target), path) : undefined;
  }
  return withCommonDir(path, undefined);
}

async function withCommonDir(gitDir: string, workTree: string | undefined): Promise<Layout | undefined> {
  const pointer = await readFile(join(gitDir, 'commondir'), 'utf8').catch(() => '.');
  const commonDir = resolve(gitDir, pointer.trim());
  const parts = [join(gitDir, 'HEAD'), join(commonDir, 'objects'), join(commonDir, 'refs')];
  const found = await Promise.all(parts.map((part) => stat(part).catch(() => undefined)));
  return found.every(Boolean) ? { gitDir, commonDir, workTree } : undefined;
}

/** Only for commands that read the foreign config but run no program from it. */
async function readLine(gitDir: string, args: string[]): Promise<string> {
  const { stdout } = await runGit({ gitDir, args, exitCodes: [0, 1] });
  return stdout.toString().trim();
}

async function hasUncommittedChanges(layout: Layout, headCommit: string): Promise<boolean> {
  if (layout.workTree === undefined) return false;
  const ours = await makeScratchFolder('inspect');
  try {
    await fillGitDir(layout, headCommit, ours);
    const { stdout } = await runGit({
      gitDir: ours,
      env: {
        // Not copied, because git compares the time of the index with the times of the files.
        GIT_INDEX_FILE: join(layout.gitDir, 'index'),
        GIT_OBJECT_DIRECTORY: join(layout.commonDir, 'objects'),
        GIT_WORK_TREE: layout.workTree,
      },
      args: [
        'status',
        '--porcelain',
        '-z',
        '--no-renames',
        '--untracked-files=normal',
        '--ignore-submodules=all',
      ],
      // One record is enough.
      maxBytes: 1,
      overflow: 'truncate',
    });
    return stdout.length > 0;
  } finally {
    await rm(ours, { recursive: true, force: true });
  }
}

async function fillGitDir(layout: Layout, headCommit: string, ours: string): Promise<void> {
  await mkdir(join(ours, 'refs'));
  await mkdir(join(ours, 'objects'));
  await mkdir(join(ours, 'info'));
  await writeFile(join(ours, 'HEAD'), headCommit ? `${headCommit}\n` : 'ref: refs/heads/unborn\n');
  await copyIfPresent(join(layout.commonDir, 'info', 'exclude'), join(ours, 'info', 'exclude'));
  // A split index refers to a shared index, which git looks for in the git directory.
  for (const name of await readdir(layout.gitDir)) {
    if (name.startsWith('sharedindex.')) await copyIfPresent(join(layout.gitDir, name), join(ours, name));
  }
}

async function copyIfPresent(from: string, to: string): Promise<void> {
  await copyFile(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}
