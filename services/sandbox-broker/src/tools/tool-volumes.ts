/**
 * The volumes with tools. Sandboxes get the current one. When it is full or old, the next sandboxes get a new, empty one, and
 * the engine keeps the old one as long as a container uses it. So nothing is ever removed from under a running sandbox.
 */
import type { Log } from '@fettle/log';
import type { Engine } from '../engine/connect-engine.ts';
import { labels } from '../sandboxes/labels.ts';

const dayMs = 24 * 3_600_000;
/** Tools are downloaded again after this time, so that versions that nobody uses any more go away. */
const renewAfterMs = 30 * dayMs;
/** A volume of another broker that nobody has used for long: its broker has probably been removed. */
const abandonedAfterMs = 90 * dayMs;
const engineTimeoutMs = 20_000;

export interface ToolVolumes {
  current(): string;
  /** The next sandboxes do not get this volume any more. */
  retire(volume: string): void;
  /** Removes the volumes that no sandbox will use again. */
  collect(): Promise<void>;
}

export interface ToolVolumesOptions {
  engine: Engine;
  identity: string;
  log: Log;
  now?: () => number;
}

interface Found {
  name: string;
  owner: string;
  ageMs: number;
}

export async function openToolVolumes(options: ToolVolumesOptions): Promise<ToolVolumes> {
  const { engine, identity, log, now = Date.now } = options;
  const prefix = `fettle-tools-${identity}-`;
  const numberOf = (name: string) =>
    name.startsWith(prefix) ? Number(/^\d{1,9}$/.exec(name.slice(prefix.length))?.[0] ?? 0) : 0;

  async function list(filters: Record<string, string[]> = {}): Promise<Found[]> {
    const { Volumes } = await engine.listVolumes({
      filters: { label: [labels.tools], ...filters },
      abortSignal: AbortSignal.timeout(engineTimeoutMs),
    });
    return (Volumes ?? []).map(({ Name, Labels, ...rest }) => ({
      name: Name,
      owner: Labels[labels.tools] ?? '',
      ageMs: now() - Date.parse((rest as { CreatedAt?: string }).CreatedAt ?? ''),
    }));
  }

  const numbers = (await list()).filter(({ owner }) => owner === identity).map(({ name }) => numberOf(name));
  let latest = Math.max(1, ...numbers);
  const current = () => `${prefix}${latest}`;

  function retire(volume: string): void {
    if (volume !== current()) return;
    latest += 1;
    log.info({ volume }, 'the next sandboxes get a new volume for tools');
  }

  function isUseless({ name, owner, ageMs }: Found): boolean {
    return owner === identity ? numberOf(name) < latest : ageMs > abandonedAfterMs;
  }

  return {
    current,
    retire,
    async collect() {
      for (const { name, ageMs } of await list()) if (ageMs > renewAfterMs) retire(name);
      for (const { name } of (await list({ dangling: ['true'] })).filter(isUseless)) {
        await engine
          .getVolume(name)
          .remove({ abortSignal: AbortSignal.timeout(engineTimeoutMs) })
          .then(
            () => log.info({ volume: name }, 'removed an old volume with tools'),
            (error: Error) => log.warn({ err: error, volume: name }, 'an old volume could not be removed'),
          );
      }
    },
  };
}
