// Where a sandbox's volume and its processes are, as this process sees them. Root on the engine's machine sees both; so does
// a broker in a container that shares the machine's processes and may look into them. Anybody else sees neither.
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

export interface SandboxPlace {
  folder: string;
  /** The process at its head. */
  head: number | undefined;
}

/** Undefined where not even the volume can be entered. */
export async function findPlace(container: Container): Promise<SandboxPlace | undefined> {
  const { Id, State, Mounts } = inspectedSchema.parse(
    await container.inspect({ abortSignal: AbortSignal.timeout(engineTimeoutMs) }),
  );
  const volume = Mounts.find(({ Type, Destination }) => Type === 'volume' && Destination === sandboxFolder);
  const head = isOurs(State.Pid, Id) ? State.Pid : undefined;
  const through = head === undefined ? [] : [`/proc/${head}/root${sandboxFolder}`];
  const folder = [volume?.Source, ...through].find(canEnter);
  return folder === undefined ? undefined : { folder, head };
}

/** A number of another machine or another numbering means somebody else here. */
function isOurs(pid: number, container: string): boolean {
  try {
    readdirSync(`/proc/${pid}/fd`);
    return readFileSync(`/proc/${pid}/cgroup`, 'latin1').includes(container);
  } catch {
    return false;
  }
}

function canEnter(folder: string | undefined): folder is string {
  try {
    accessSync(folder ?? '', constants.R_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
