import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authorEnvironment, type Identity } from './config.ts';
import { runGit } from './run-git.ts';

export interface Commit {
  sha: string;
  tree: string;
  parents: string[];
  author: Identity & { date: string };
  committer: Identity & { date: string };
  message: string;
}

const format = ['%H', '%T', '%P', '%an', '%ae', '%aI', '%cn', '%ce', '%cI', '%B'].join('%x00');

/** Newest first. `range` is a commit, or `base..head`. */
export async function listCommits(folder: string, range: string, limit = 250): Promise<Commit[]> {
  const args = [
    'log',
    '-z',
    `--format=${format}%x01`,
    `--max-count=${limit}`,
    '--end-of-options',
    range,
    '--',
  ];
  const output = await runGit(folder, args);
  return output
    .split('\x01')
    .map((record) => record.replace(/^\0/, ''))
    .filter((record) => record !== '')
    .map(parseCommit);
}

export async function readCommit(folder: string, sha: string): Promise<Commit> {
  const [commit] = await listCommits(folder, sha, 1);
  if (!commit) throw new Error(`no commit ${sha}`);
  return commit;
}

function parseCommit(record: string): Commit {
  const [sha = '', tree = '', parents = '', ...fields] = record.split('\0');
  const [authorName = '', authorEmail = '', authorDate = ''] = fields;
  const [name = '', email = '', date = '', message = ''] = fields.slice(3);
  return {
    sha,
    tree,
    parents: parents.split(' ').filter((each) => each !== ''),
    author: { name: authorName, email: authorEmail, date: inUtc(authorDate) },
    committer: { name, email, date: inUtc(date) },
    message: message.replace(/\n+$/, ''),
  };
}

function inUtc(date: string): string {
  return new Date(date).toISOString().replace(/\.\d+Z$/, 'Z');
}

export interface FileChanges {
  /** `null` deletes the file. */
  [path: string]: string | Uint8Array | null;
}

/** Writes one commit on top of `parent` without a work tree. Returns its hash. */
export async function writeCommit(
  folder: string,
  options: { parent: string | undefined; files: FileChanges; message: string; author: Identity },
): Promise<string> {
  const { parent, files, message, author } = options;
  const index = join(tmpdir(), `fake-github-index-${randomUUID()}`);
  const environment = { GIT_INDEX_FILE: index };
  try {
    if (parent !== undefined) await runGit(folder, ['read-tree', parent], { environment });
    const lines: string[] = [];
    for (const [path, content] of Object.entries(files)) {
      if (content === null) lines.push(`0 ${'0'.repeat(40)}\t${path}`);
      else {
        const blob = await runGit(folder, ['hash-object', '-w', '--stdin'], { input: content });
        lines.push(`100644 ${blob}\t${path}`);
      }
    }
    await runGit(folder, ['update-index', '--index-info'], { environment, input: `${lines.join('\n')}\n` });
    const tree = await runGit(folder, ['write-tree'], { environment });
    return await commitTree(folder, { tree, parents: parent === undefined ? [] : [parent], message, author });
  } finally {
    await rm(index, { force: true });
  }
}

export async function commitTree(
  folder: string,
  commit: { tree: string; parents: string[]; message: string; author: Identity },
): Promise<string> {
  const parents = commit.parents.flatMap((parent) => ['-p', parent]);
  return runGit(folder, ['commit-tree', commit.tree, ...parents], {
    input: commit.message,
    environment: authorEnvironment(commit.author),
  });
}
