export { collectPacks } from './mirror/maintain.ts';
export { type MirrorState, syncMirror } from './mirror/sync-mirror.ts';
export { GitError, type GitErrorCode } from './process/git-error.ts';
export { clearScratchFolders } from './process/scratch-folder.ts';
export { diffCommits, type FileDiff } from './read/diff-commits.ts';
export { findMergeBase } from './read/find-merge-base.ts';
export { grepCommit } from './read/grep-commit.ts';
export { inspectSource } from './read/inspect-source.ts';
export { isAncestor } from './read/is-ancestor.ts';
export { type CommittedFile, listFiles, readFileObjects } from './read/list-files.ts';
export { listPushed } from './read/list-pushed.ts';
export {
  listPaths,
  listRoot,
  listTree,
  readIgnoreFiles,
  type TreeEntry,
  type TreePaths,
} from './read/list-tree.ts';
export { logCommits } from './read/log-commits.ts';
export { withTreePack } from './read/pack-tree.ts';
export { type FoundBlob, readBlobAt, readBlobsAt } from './read/read-blobs.ts';
export type { Replacement } from './read/replace-files.ts';
export { resolveCommit, resolveTree } from './read/resolve-commit.ts';
export { branchName } from './write/branch-name.ts';
export {
  type Checkpoints,
  openCheckpoints,
} from './write/checkpoints.ts';
export { readCommitObject, writeCommitObject } from './write/commit-object.ts';
export { commitProposal } from './write/commit-proposal.ts';
export { composeMessage } from './write/compose-message.ts';
export type { TreeChange } from './write/fast-import-stream.ts';
export { pushCommit } from './write/push-commit.ts';
export { decodeCheckpoint, encodeCheckpoint } from './write/saved-checkpoint.ts';
export { isModulesFile, pathFlaw } from './write/tree-path.ts';
export { type Withdrawal, withdrawBranch } from './write/withdraw-branch.ts';
