export { branchName } from './branch-name.ts';
export {
  type Checkpoints,
  type CheckpointWrite,
  type OpenCheckpointsOptions,
  openCheckpoints,
} from './checkpoints.ts';
export { type CommitProposalOptions, commitProposal, hasChanges } from './commit-proposal.ts';
export { composeMessage, type MessageParts } from './compose-message.ts';
export { type CommitDiff, type DiffOptions, diffCommits, type FileDiff } from './diff-commits.ts';
export type { TreeChange } from './fast-import-stream.ts';
export { GitError, type GitErrorCode } from './git-error.ts';
export { type GrepOptions, grepCommit } from './grep-commit.ts';
export type { Identity } from './identity.ts';
export { inspectSource, type SourceInspection } from './inspect-source.ts';
export { listPushed, type PushedBlob, type PushedCommit, type PushRange } from './list-pushed.ts';
export {
  type IgnoreFile,
  listPaths,
  listRoot,
  listTree,
  readIgnoreFiles,
  type TreeEntry,
  type TreePaths,
} from './list-tree.ts';
export { type LoggedCommit, type LogOptions, logCommits } from './log-commits.ts';
export { collectPacks, deleteRef } from './maintain.ts';
export { isBranchName } from './names.ts';
export { type TreePack, withTreePack } from './pack-tree.ts';
export { type PushCommitOptions, type PushOutcome, pushCommit } from './push-commit.ts';
export { type BlobAtPath, readBlobAt, readBlobsAt } from './read-blobs.ts';
export { resolveCommit } from './resolve-commit.ts';
export { clearScratchFolders } from './scratch-folder.ts';
export { type MirrorState, type SyncMirrorOptions, syncMirror } from './sync-mirror.ts';
export { isModulesFile, pathFlaw } from './tree-path.ts';
export { type Withdrawal, withdrawBranch } from './withdraw-branch.ts';
