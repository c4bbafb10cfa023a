/** Adds tools to the volume of a sandbox, each once, and few at the same time. */
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { FettleError, type SandboxTool, sandboxToolFolder } from '@fettle/contract';
import type { Log } from '@fettle/log';
import { processMark } from '@fettle/sandbox';
import type { Config } from '../config.ts';
import { isLow, readHostDisk } from '../disk/host-disk.ts';
import type { Engine } from '../engine/connect-engine.ts';
import { fillVolume } from './fill-volume.ts';
import type { ToolVolumes } from './tool-volumes.ts';

const fillTimeoutMs = 300_000;
const draftMinutes = 10;
const maxAtOnce = 4;

export interface Tools {
  /** Resolves when the volume has the tool. Reads the archive in any case. */
  add(volume: string, tool: SandboxTool, archive: Readable): Promise<void>;
  /** Whether a container with this id is adding a tool right now. */
  isFilling(id: string): boolean;
  /** Permanent: ends the containers that are adding a tool. */
  stop(): Promise<void>;
}

export interface ToolsOptions {
  engine: Engine;
  engineFolder: string;
  config: Config;
  volumes: ToolVolumes;
  log: Log;
}

export function createTools({ engine, engineFolder, config, volumes, log }: ToolsOptions): Tools {
  const stopping = new AbortController();
  const ids = new Set<string>();
  const underWay = new Map<string, Promise<void>>();

  async function fill(volume: string, tool: SandboxTool, archive: Readable): Promise<void> {
    if (stopping.signal.aborted) throw new FettleError('unavailable', 'the broker is stopping');
    if (ids.size >= maxAtOnce) throw new FettleError('too_many_requests', 'too many tools are being added');
    const id = randomUUID();
    ids.add(id);
    try {
      if (isLow(await readHostDisk(engineFolder))) {
        throw new FettleError('unavailable', 'the disk of the engine is nearly full');
      }
      const expiresAt = new Date(Date.now() + fillTimeoutMs);
      const filling = { id, brokerProcess: processMark(), expiresAt, volume, tool, draftMinutes };
      const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(fillTimeoutMs)]);
      const filled = await fillVolume(filling, archive, { engine, config, signal });
      if (filled === 'filled') return void log.info({ volume, ...tool }, 'a tool was added');
      volumes.retire(volume);
      const message = `the volume of tools is full (FETTLE_SANDBOX_TOOLS_MB is ${config.toolsMb}); later sandboxes get a new one`;
      throw new FettleError('unavailable', message);
    } finally {
      ids.delete(id);
    }
  }

  return {
    isFilling: (id) => ids.has(id),
    async stop() {
      stopping.abort();
      await Promise.allSettled(underWay.values());
    },
    async add(volume, tool, archive) {
      const key = `${volume}/${sandboxToolFolder(tool)}`;
      try {
        // Another archive may turn out to be damaged. Then this one is used.
        for (let other = underWay.get(key); other !== undefined; other = underWay.get(key)) {
          if (
            await other.then(
              () => true,
              () => false,
            )
          )
            return;
        }
        const filling = fill(volume, tool, archive).finally(() => underWay.delete(key));
        underWay.set(key, filling);
        await filling;
      } finally {
        archive.resume();
      }
    },
  };
}
