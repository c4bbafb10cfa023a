import type { SandboxUsage } from '@fettle/contract';
import { joinUsage, readUsage } from '../engine/read-usage.ts';
import type { BrokerSandbox } from './sandbox.ts';

const LIMIT_MS = 2_000;

export async function refreshUsage(sandbox: BrokerSandbox): Promise<SandboxUsage | undefined> {
  if (sandbox.container === undefined || sandbox.ending !== undefined) return sandbox.usage;
  const before = sandbox.usage?.cpuMs ?? 0;
  sandbox.usage = joinUsage(sandbox.usage, await readUsage(sandbox.container, LIMIT_MS));
  sandbox.cpuMsLately = (sandbox.usage?.cpuMs ?? before) - before;
  return sandbox.usage;
}
