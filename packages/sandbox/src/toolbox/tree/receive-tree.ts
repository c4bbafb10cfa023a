/** Creates the clone from a pack with one commit. Files are raw blobs, and no code of the repository runs. */
import { isUtf8 } from 'node:buffer';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Requests } from '../../protocol/requests.ts';
import { SandboxError } from '../../protocol/sandbox-error.ts';
import type { ReceiveTreeResult } from '../../protocol/schemas.ts';
import { findPathFault, show, touchesGitFolder } from '../../protocol/workspace-path.ts';
import { findChanges } from '../changes/find-changes.ts';
import type { Call } from '../serve.ts';
import type { Toolbox } from '../toolbox.ts';
import { runGit } from './git.ts';
import { createIgnoreRules, folderOf } from './ignore-rules.ts';
import { storePack } from './store-pack.ts';
import { buildTreeIndex, type TrackedFile } from './tree-index.ts';

/** Disables line-end conversion, filters (also LFS), keyword expansion and encodings for every file. */
const rawAttributes = '* !text !eol !crlf !filter !ident !working-tree-encoding\n';

/** Longer than the time within which two changes of a file can have the same stat. */
const settleAfterMs = 50;

const cloneConfig = `[core]
\trepositoryformatversion = 0
\tbare = false
\tfilemode = true
\tsymlinks = true
\tautocrlf = false
\tprotectHFS = true
\tprotectNTFS = true
\tlogallrefupdates = true
[gc]
\tauto = 0
[maintenance]
\tauto = false
[user]
\tname = Fettle
\temail = fettle@localhost
`;

export async function receiveTree(
  toolbox: Toolbox,
  { commit, branch, baseIgnores, indexBytes }: Requests['receiveTree']['params'],
  { input, signal }: Call,
): Promise<ReceiveTreeResult> {
  if (toolbox.treeReceived) throw new SandboxError('bad_request', 'the sandbox has already received a tree');
  if (!/^[0-9a-f]{40}$/.test(commit))
    throw new SandboxError('bad_request', `${show(commit)} is not a commit id`);
  toolbox.treeReceived = true;
  const git = join(toolbox.workspace, '.git');
  initializeClone(git, commit, branch);
  await storePack(input, { git, name: commit, indexBytes });
  // List the tree and not the index, in which git silently resolves duplicate entries of a hostile tree.
  const [listing] = await Promise.all([
    runGit(toolbox, ['ls-tree', '-r', '-z', '--full-tree', commit], { signal }),
    runGit(toolbox, ['update-ref', 'HEAD', commit], { signal }),
    runGit(toolbox, ['read-tree', commit], { signal }),
  ]);
  const { tracked, oddNames } = parseTracked(listing);
  rejectHostileTree(tracked);
  toolbox.oddNames = oddNames;
  await runGit(toolbox, ['checkout-index', '-a', '-f', '-u'], { signal });
  toolbox.index = await buildTreeIndex(toolbox.workspace, tracked);
  toolbox.ignoreRules = createIgnoreRules(baseIgnores);
  toolbox.ignoredPaths = undefined;
  settleIndexWhenIdle(toolbox);
  return { files: tracked.length };
}

/**
 * Right after a checkout no stat is conclusive, so the first search for changes has to read every file. Do it now, while the
 * model works on its first response, and not in the first request for changes.
 */
function settleIndexWhenIdle(toolbox: Toolbox): void {
  const timer = setTimeout(() => findChanges(toolbox, undefined).catch(() => {}), settleAfterMs);
  timer.unref();
}

/** Does what `git init` does, without a process and without the machine's template folder. */
function initializeClone(git: string, commit: string, branch: string): void {
  if (/[\0-\x20\x7f]|\.\.|^[-/]/.test(branch) || branch === '') {
    throw new SandboxError('bad_request', `${show(branch)} is not a valid branch name`);
  }
  for (const folder of ['objects/pack', 'objects/info', 'refs/heads', 'refs/tags', 'info']) {
    mkdirSync(join(git, folder), { recursive: true });
  }
  writeFileSync(join(git, 'HEAD'), `ref: refs/heads/${branch}\n`);
  writeFileSync(join(git, 'config'), cloneConfig);
  writeFileSync(join(git, 'shallow'), `${commit}\n`);
  writeFileSync(join(git, 'info/attributes'), rawAttributes);
}

/** Files whose names are not UTF-8 are never reported as changed. */
function parseTracked(listing: Buffer): { tracked: TrackedFile[]; oddNames: Set<string> } {
  const tracked: TrackedFile[] = [];
  const oddNames = new Set<string>();
  for (let start = 0; start < listing.length; ) {
    const end = listing.indexOf(0, start);
    const record = listing.subarray(start, end);
    const line = record.toString('utf8');
    const tab = line.indexOf('\t');
    const [mode = '', , blob = ''] = line.slice(0, tab).split(' ');
    const path = line.slice(tab + 1);
    if (isUtf8(record)) tracked.push({ path, mode: Number.parseInt(mode, 8), blob });
    else oddNames.add(path);
    start = end + 1;
  }
  return { tracked, oddNames };
}

/** Git refuses most of this itself. Checked again, because a tree object can contain anything. */
function rejectHostileTree(tracked: TrackedFile[]): void {
  const leaves = new Set(tracked.map(({ path }) => path));
  if (leaves.size !== tracked.length)
    throw new SandboxError('tree_refused', 'the tree contains a path twice');
  const checked = new Set<string>(['']);
  for (const { path } of tracked) {
    const fault = findPathFault(path) ?? (touchesGitFolder(path) ? "names git's own folder" : undefined);
    if (fault !== undefined) throw new SandboxError('tree_refused', `${show(path)} ${fault}`);
    for (let folder = folderOf(path); !checked.has(folder); folder = folderOf(folder)) {
      if (leaves.has(folder)) {
        throw new SandboxError('tree_refused', `${show(folder)} is both a file and a folder`);
      }
      checked.add(folder);
    }
  }
}
