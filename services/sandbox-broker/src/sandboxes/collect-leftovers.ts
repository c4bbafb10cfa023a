/**
 * Removes containers and volumes that outlived their broker: those with this broker's identity that it does not know, and
 * those of any broker that expired long ago. Sandboxes of other living brokers are kept, also of those with the same identity.
 */
import type { Log } from '@fettle/log';
import { lookUpProcess, processMark } from '@fettle/sandbox';
import type { Engine } from '../engine/connect-engine.ts';
import { removeContainer } from './end-sandbox.ts';
import { labels } from './labels.ts';

/** Its own broker ends it first, and clocks may differ. */
const expiryGraceSeconds = 120;
/** For each request. Without it, an engine that never responds would stop all further rounds. */
const engineTimeoutMs = 20_000;

export interface CollectOptions {
  engine: Engine;
  identity: string;
  isKnown: (sandboxId: string) => boolean;
  log: Log;
  limitMs?: number;
}

export async function collectLeftovers({
  engine,
  identity,
  isKnown,
  log,
  limitMs = engineTimeoutMs,
}: CollectOptions): Promise<void> {
  const limited = () => ({ abortSignal: AbortSignal.timeout(limitMs) });
  const isLeftover = (marks: Record<string, string> | null | undefined): boolean => {
    if (marks === null || marks === undefined || isKnown(marks[labels.sandbox] ?? '')) return false;
    const late = Date.now() / 1000 - Number(marks[labels.expires] ?? 0);
    if (late > expiryGraceSeconds) return true;
    return marks[labels.broker] === identity && !isOfLivingBroker(marks[labels.process]);
  };
  const filters = { label: [labels.sandbox] };
  const containers = (await engine.listContainers({ all: true, filters, ...limited() })).filter(
    ({ Labels }) => isLeftover(Labels),
  );
  for (const { Id } of containers) {
    await removeContainer(engine.getContainer(Id)).catch((error) =>
      log.warn({ err: error, container: Id }, 'a leftover container could not be removed'),
    );
  }
  // A container that could not be created may have left its volume.
  const dangling = { filters: { ...filters, dangling: ['true'] } };
  const { Volumes } = await engine.listVolumes({ ...dangling, ...limited() });
  const volumes = (Volumes ?? []).filter(({ Labels }) => isLeftover(Labels));
  for (const { Name } of volumes) {
    await engine
      .getVolume(Name)
      .remove(limited())
      .catch((error: Error) =>
        log.warn({ err: error, volume: Name }, 'a leftover volume could not be removed'),
      );
  }
  if (containers.length + volumes.length > 0) {
    log.warn({ containers: containers.length, volumes: volumes.length }, 'removed leftover sandboxes');
  }
}

function isOfLivingBroker(mark: string | undefined): boolean {
  return mark !== undefined && mark !== processMark() && lookUpProcess(mark) === 'alive';
}
