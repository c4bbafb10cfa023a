import { labels } from '../sandboxes/labels.ts';
import type { Engine } from './connect-engine.ts';

const engineTimeoutMs = 30_000;

/** Of all sandboxes on the engine: also of other brokers, and of those that a killed one has left. */
export async function readTakenUsers(engine: Engine): Promise<number[]> {
  const containers = await engine.listContainers({
    all: true,
    filters: { label: [labels.user] },
    abortSignal: AbortSignal.timeout(engineTimeoutMs),
  });
  return containers.map(({ Labels }) => Number(Labels[labels.user]));
}
