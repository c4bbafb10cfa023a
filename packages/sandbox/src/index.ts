export type {
  Backend,
  BackendName,
  BackendOptions,
  StartedToolbox,
  ToolboxUsage,
} from './backends/backend.ts';
export { type BrokerAddress, countsHiddenFiles } from './backends/broker-client.ts';
export { canLimitByCgroup } from './backends/bubblewrap/cgroup.ts';
export { type DockerBackendOptions, startDockerToolbox } from './backends/docker-backend.ts';
export { clearLeftovers, lookUpProcess, makeOwnedFolder, processMark } from './backends/leftovers.ts';
export { defaultSandboxLimits, type SandboxLimits } from './backends/limits.ts';
export { allocatorSettings, toolboxNodeOptions } from './backends/node-options.ts';
export {
  type BackendChoice,
  type Choice,
  chooseBackend,
  describeRefusals,
  openBackend,
  type Refusal,
} from './choose-backend.ts';
export { createCountPace } from './disk-audit/count-pace.ts';
export { createDiskAudit, type DiskAudit } from './disk-audit/disk-usage.ts';
export { openSandbox } from './host/open-sandbox.ts';
export type { Change } from './host/receive-changes.ts';
export type {
  CallOptions,
  Changes,
  ChangesOptions,
  FetchAnswer,
  FetchWindow,
  ReadFile,
  ReadFileOptions,
  ReceiveTreeOptions,
  RegistryOrigins,
  RunOptions,
  RunResult,
  Sandbox,
  SearchTextOptions,
} from './host/sandbox.ts';
export type { BaseIgnore } from './protocol/requests.ts';
export { SandboxError, type SandboxErrorCode } from './protocol/sandbox-error.ts';
export type {
  DirectoryEntry,
  Fetch,
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
export { type DockerSeccompProfile, toDockerProfile } from './seccomp/docker-profile.ts';
export { seccompProfile } from './seccomp/profile.ts';
export { type StartSandboxOptions, startSandbox } from './start-sandbox.ts';
