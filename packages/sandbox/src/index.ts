export type {
  Backend,
  BackendName,
} from './backends/backend.ts';
export { type BrokerAddress, readDiskLimit } from './backends/broker-client.ts';
export { canLimitByCgroup } from './backends/bubblewrap/cgroup.ts';
export { startDockerToolbox } from './backends/docker-backend.ts';
export {
  clearLeftovers,
  isLeftover,
  lookUpProcess,
  makeOwnedFolder,
  processMark,
} from './backends/leftovers.ts';
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
  Changes,
  FetchAnswer,
  RegistryOrigins,
  RunOptions,
  RunResult,
  Sandbox,
  ToolStore,
} from './host/sandbox.ts';
export { SandboxError, type SandboxErrorCode } from './protocol/sandbox-error.ts';
export type {
  Fetch,
  Hello,
  Refused,
} from './protocol/schemas.ts';
export { toDockerProfile } from './seccomp/docker-profile.ts';
export { seccompProfile } from './seccomp/profile.ts';
export { startSandbox } from './start-sandbox.ts';
