// Containers and volumes that outlived their broker: those that bear this broker's name and are not in its books, and those
// of any broker whose time is long up. What another broker still uses is left alone, also where it bears the same name.
import type { Log } from '@fettle/log';
import { lookUpProcess, processMark } from '@fettle/sandbox';
import type { Engine } from '../engine/connect-engine.ts';
import { removeContainer } from './end-sandbox.ts';
import { labels } from './labels.ts';

/** Its own broker ends it first, and clocks may differ a little. */
const expiryGraceSeconds = 120;
/** For each request. One that is never answered would be the last: no round begins before the one before it has ended. */
const engineTimeoutMs = 20_000;

export interface Collecting {
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
}: Collecting): Promise<void> {
  const limited = () => ({ abortSignal: AbortSignal.timeout(limitMs) });
  const isLeft = (marks: Record<string, string> | null | undefined): boolean => {
    if (marks === null || marks === undefined || isKnown(marks[labels.sandbox] ?? '')) return false;
    const late = Date.now() / 1000 - Number(marks[labels.expires] ?? 0);
    if (late > expiryGraceSeconds) return true;
    return marks[labels.broker] === identity && !isOfLivingBroker(marks[labels.process]);
  };
  const filters = { label: [labels.sandbox] };
  const containers = (await engine.listContainers({ all: true, filters, ...limited() })).filter(
    ({ Labels }) => isLeft(Labels),
  );
  for (const { Id } of containers) {
    await removeContainer(engine.getContainer(Id)).catch((error) =>
      log.warn({ err: error, container: Id }, 'a leftover container could not be removed'),
    );
  }
  // A container that could not be made may have left its volume.
  const dangling = { filters: { ...filters, dangling: ['true'] } };
  const { Volumes } = await engine.listVolumes({ ...dangling, ...limited() });
  const volumes = (Volumes ?? []).filter(({ Labels }) => isLeft(Labels));
  for (const { Name } of volumes) {
    await engine
      .getVolume(Name)
      .remove(limited())
      .catch((error: Error) =>
        log.warn({ err: error, volume: Name }, 'a leftover volume could not be removed'),
      );
  }
  if (containers.length + volumes.length > 0) {
    log.warn({ containers: containers.length, volumes: volumes.length }, 'cleared away what was left over');
  }
}

function isOfLivingBroker(mark: string | undefined): boolean {
  return mark !== undefined && mark !== processMark() && lookUpProcess(mark) === 'alive';
}
