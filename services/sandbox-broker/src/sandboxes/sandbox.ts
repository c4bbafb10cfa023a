import type { SandboxEnd, SandboxEndReason, SandboxUsage, StartSandbox } from '@fettle/contract';
import type { Container } from 'dockerode';
import { joinUsage, readUsage } from '../engine/read-usage.ts';

/** A sandbox of this broker, from before its container is created until after it is removed. */
export interface BrokerSandbox {
  id: string;
  request: StartSandbox;
  image: string;
  user: number;
  /** The volume with the tools that it can read. */
  toolsVolume: string;
  startedAt: Date;
  expiresAt: Date;
  container: Container | undefined;
  /** Settles when the start has finished or failed. A sandbox that is ended earlier is removed after that. */
  starting: Promise<unknown> | undefined;
  errorOutput: Buffer;
  usage: SandboxUsage | undefined;
  /** CPU time between the last two samples. */
  recentCpuMs: number;
  /** The first reason for which it was ended. */
  reason: SandboxEndReason | undefined;
  ending: Promise<SandboxEnd> | undefined;
}

const maxErrorBytes = 8192;
const usageTimeoutMs = 2_000;

export function keepErrorOutput(sandbox: BrokerSandbox, bytes: Buffer): void {
  const joined = Buffer.concat([sandbox.errorOutput, bytes.subarray(-maxErrorBytes)]);
  sandbox.errorOutput = Buffer.from(joined.subarray(-maxErrorBytes));
}

export async function refreshUsage(sandbox: BrokerSandbox): Promise<SandboxUsage | undefined> {
  if (sandbox.container === undefined || sandbox.ending !== undefined) return sandbox.usage;
  const before = sandbox.usage?.cpuMs ?? 0;
  sandbox.usage = joinUsage(sandbox.usage, await readUsage(sandbox.container, usageTimeoutMs));
  sandbox.recentCpuMs = (sandbox.usage?.cpuMs ?? before) - before;
  return sandbox.usage;
}
