/** The operator's settings for sandboxes, used by the worker, `fettle sandbox exec` and `fettle doctor`. */
import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import type { BrokerAddress } from './backends/broker-client.ts';
import { defaultSandboxLimits, type SandboxLimits } from './backends/limits.ts';
import { findFolderFlaw } from './read-only-folder.ts';

const bytesPerMb = 1024 ** 2;
const { memoryBytes, cpus, processes, diskBytes } = defaultSandboxLimits;
const count = (value: number) => z.coerce.number().int().positive().max(1_000_000_000).default(value);

export const sandboxSettings = {
  FETTLE_BROKER_URL: z
    .string()
    .regex(/^(unix|https?):\/\//, 'is not an address')
    .refine((text) => URL.canParse(text), 'is not an address')
    .optional()
    .describe('the address of the sandbox broker, for example unix:///run/broker.sock'),
  FETTLE_BROKER_KEY: z.string().min(16).optional().describe('the same for broker and workers'),
  FETTLE_SANDBOX_FOLDERS: z
    .string()
    .default('')
    .transform((text) => text.split(':').filter(Boolean).map(normalize))
    .describe('more folders that commands may read, for example /opt/go:/opt/rust'),
  FETTLE_SANDBOX_MEMORY_MB: count(memoryBytes / bytesPerMb),
  FETTLE_SANDBOX_CPUS: z.coerce.number().min(0.1).max(1024).default(cpus).describe('for example 1.5'),
  FETTLE_SANDBOX_PIDS: count(processes),
  FETTLE_SANDBOX_DISK_MB: count(diskBytes / bytesPerMb),
};

export interface SandboxSettings {
  FETTLE_SANDBOX_MEMORY_MB: number;
  FETTLE_SANDBOX_CPUS: number;
  FETTLE_SANDBOX_PIDS: number;
  FETTLE_SANDBOX_DISK_MB: number;
}

/** Checks the settings against each other and against this machine. */
export function findSandboxFlaw(values: {
  FETTLE_HOME?: string | undefined;
  FETTLE_SANDBOX_FOLDERS: string[];
  FETTLE_BROKER_URL?: string | undefined;
  FETTLE_BROKER_KEY?: string | undefined;
}): string | undefined {
  const { FETTLE_BROKER_URL: url, FETTLE_BROKER_KEY: key } = values;
  if (url !== undefined && key === undefined)
    return 'FETTLE_BROKER_KEY: must be set together with FETTLE_BROKER_URL';
  if (url === undefined && key !== undefined)
    return 'FETTLE_BROKER_URL: must be set together with FETTLE_BROKER_KEY';
  const home = values.FETTLE_HOME === undefined ? undefined : resolve(values.FETTLE_HOME);
  for (const folder of values.FETTLE_SANDBOX_FOLDERS) {
    const flaw = findFolderFlaw(folder, home);
    if (flaw !== undefined) return `FETTLE_SANDBOX_FOLDERS: ${flaw} (for example /opt/go:/opt/rust)`;
  }
  return undefined;
}

/** `findSandboxFlaw` has checked that neither or both are set. */
export function brokerOf(values: {
  FETTLE_BROKER_URL?: string | undefined;
  FETTLE_BROKER_KEY?: string | undefined;
}): BrokerAddress | undefined {
  const { FETTLE_BROKER_URL: url, FETTLE_BROKER_KEY: key } = values;
  return url === undefined || key === undefined ? undefined : { url, key };
}

function normalize(path: string): string {
  return isAbsolute(path) ? resolve(path) : path;
}

export function limitsOf(values: SandboxSettings): SandboxLimits {
  return {
    ...defaultSandboxLimits,
    memoryBytes: values.FETTLE_SANDBOX_MEMORY_MB * bytesPerMb,
    cpus: values.FETTLE_SANDBOX_CPUS,
    processes: values.FETTLE_SANDBOX_PIDS,
    diskBytes: values.FETTLE_SANDBOX_DISK_MB * bytesPerMb,
  };
}
