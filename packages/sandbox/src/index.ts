export type { Backend, BackendName, BackendOptions, StartedToolbox } from './backends/backend.ts';
export { DEFAULT_SANDBOX_LIMITS, type SandboxLimits } from './backends/limits.ts';
export { type BackendChoice, type Choice, chooseBackend, type Refusal } from './choose-backend.ts';
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
export { type StartSandboxOptions, startSandbox } from './start-sandbox.ts';
