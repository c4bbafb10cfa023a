export { collectPacks, deleteRef } from './mirror/maintain.ts';
export { type MirrorState, type SyncMirrorOptions, syncMirror } from './mirror/sync-mirror.ts';
export { GitError, type GitErrorCode } from './process/git-error.ts';
export { isBranchName } from './process/names.ts';
export { clearScratchFolders } from './process/scratch-folder.ts';
export { type CommitDiff, type DiffOptions, diffCommits, type FileDiff } from './read/diff-commits.ts';
export { type GrepOptions, grepCommit } from './read/grep-commit.ts';
export { inspectSource, type SourceInspection } from './read/inspect-source.ts';
export { listPushed, type PushedBlob, type PushedCommit, type PushRange } from './read/list-pushed.ts';
export {
  type IgnoreFile,
  listPaths,
  listRoot,
  listTree,
  readIgnoreFiles,
  type TreeEntry,
  type TreePaths,
} from './read/list-tree.ts';
export { type LoggedCommit, type LogOptions, logCommits } from './read/log-commits.ts';
export { type TreePack, withTreePack } from './read/pack-tree.ts';
export { type BlobAt, type FoundBlob, readBlobAt, readBlobsAt } from './read/read-blobs.ts';
export { resolveCommit } from './read/resolve-commit.ts';
export { branchName } from './write/branch-name.ts';
export {
  type Checkpoints,
  type CheckpointWrite,
  type OpenCheckpointsOptions,
  openCheckpoints,
} from './write/checkpoints.ts';
export { type CommitProposalOptions, commitProposal, hasChanges } from './write/commit-proposal.ts';
export { composeMessage, type MessageParts } from './write/compose-message.ts';
export type { TreeChange } from './write/fast-import-stream.ts';
export type { Identity } from './write/identity.ts';
export { type PushCommitOptions, type PushOutcome, pushCommit } from './write/push-commit.ts';
export { isModulesFile, pathFlaw } from './write/tree-path.ts';
export { type Withdrawal, withdrawBranch } from './write/withdraw-branch.ts';
