export type { StartedToolbox } from './backends/backend.ts';
export { clearLeftovers } from './backends/leftovers.ts';
export type { Change } from './host/receive-changes.ts';
export type {
  CallOptions,
  Changes,
  ChangesOptions,
  ReadFile,
  ReadFileOptions,
  ReceiveTreeOptions,
  RunOptions,
  RunResult,
  Sandbox,
  SearchTextOptions,
} from './host/sandbox.ts';
export type { BaseIgnore } from './protocol/requests.ts';
export { SANDBOX_ERROR_CODES, SandboxError, type SandboxErrorCode } from './protocol/sandbox-error.ts';
export type {
  DirectoryEntry,
  FileKind,
  FindFilesResult,
  Hello,
  ListDirectoryResult,
  ReceiveTreeResult,
  Refused,
  SearchTextResult,
  StatFileResult,
  TextMatch,
} from './protocol/schemas.ts';
export { type BackendName, type StartSandboxOptions, startSandbox } from './start-sandbox.ts';
