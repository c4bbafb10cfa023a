import { accessSync, constants } from 'node:fs';
import type { Container } from 'dockerode';
import { z } from 'zod';
import { sandboxFolder } from '../sandboxes/container-settings.ts';

const engineTimeoutMs = 5_000;

const inspectedSchema = z.object({
  Mounts: z.array(z.object({ Type: z.string(), Source: z.string(), Destination: z.string() })),
});

/**
 * The folder of a sandbox's volume. Root on the engine's machine can read it. A broker in a container or on another machine
 * cannot: undefined.
 */
export async function findVolume(container: Container): Promise<string | undefined> {
  const { Mounts } = inspectedSchema.parse(
    await container.inspect({ abortSignal: AbortSignal.timeout(engineTimeoutMs) }),
  );
  const volume = Mounts.find(({ Type, Destination }) => Type === 'volume' && Destination === sandboxFolder);
  return volume !== undefined && canRead(volume.Source) ? volume.Source : undefined;
}

function canRead(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
