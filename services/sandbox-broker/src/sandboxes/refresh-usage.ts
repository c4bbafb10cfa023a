import type { SandboxUsage } from '@fettle/contract';
import { joinUsage, readUsage } from '../engine/read-usage.ts';
import type { BrokerSandbox } from './sandbox.ts';

const engineTimeoutMs = 2_000;

export async function refreshUsage(sandbox: BrokerSandbox): Promise<SandboxUsage | undefined> {
  if (sandbox.container === undefined || sandbox.ending !== undefined) return sandbox.usage;
  const before = sandbox.usage?.cpuMs ?? 0;
  sandbox.usage = joinUsage(sandbox.usage, await readUsage(sandbox.container, engineTimeoutMs));
  sandbox.cpuMsLately = (sandbox.usage?.cpuMs ?? before) - before;
  return sandbox.usage;
}
