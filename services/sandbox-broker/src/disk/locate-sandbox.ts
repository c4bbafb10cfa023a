/**
 * Finds a sandbox's volume and processes as this process sees them. Root on the engine's machine sees both, and so does a
 * broker in a container that shares the host's pid namespace and has the capabilities to inspect it. Others see neither.
 */
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import type { Container } from 'dockerode';
import { z } from 'zod';
import { sandboxFolder } from '../sandboxes/container-settings.ts';

const engineTimeoutMs = 5_000;

const inspectedSchema = z.object({
  Id: z.string().min(12),
  State: z.object({ Pid: z.number().int() }),
  Mounts: z.array(z.object({ Type: z.string(), Source: z.string(), Destination: z.string() })),
});

export interface SandboxLocation {
  folder: string;
  /** The container's first process. Undefined where it is not visible. */
  initPid: number | undefined;
}

/** Undefined where the volume cannot be read. */
export async function locateSandbox(container: Container): Promise<SandboxLocation | undefined> {
  const { Id, State, Mounts } = inspectedSchema.parse(
    await container.inspect({ abortSignal: AbortSignal.timeout(engineTimeoutMs) }),
  );
  const volume = Mounts.find(({ Type, Destination }) => Type === 'volume' && Destination === sandboxFolder);
  const initPid = belongsTo(State.Pid, Id) ? State.Pid : undefined;
  const through = initPid === undefined ? [] : [`/proc/${initPid}/root${sandboxFolder}`];
  const folder = [volume?.Source, ...through].find(canRead);
  return folder === undefined ? undefined : { folder, initPid };
}

/** On another machine or in another pid namespace, the same pid is another process. */
function belongsTo(pid: number, container: string): boolean {
  try {
    readdirSync(`/proc/${pid}/fd`);
    return readFileSync(`/proc/${pid}/cgroup`, 'latin1').includes(container);
  } catch {
    return false;
  }
}

function canRead(folder: string | undefined): folder is string {
  try {
    accessSync(folder ?? '', constants.R_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
