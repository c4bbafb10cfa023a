/** The resources of one sandbox. Each backend enforces them as strictly as its kernel allows. */
export interface SandboxLimits {
  memoryBytes: number;
  cpus: number;
  processes: number;
  diskBytes: number;
  openFiles: number;
}

export const defaultSandboxLimits: SandboxLimits = {
  memoryBytes: 2048 * 1024 ** 2,
  cpus: 1,
  processes: 256,
  diskBytes: 10 * 1024 ** 3,
  openFiles: 4096,
};
