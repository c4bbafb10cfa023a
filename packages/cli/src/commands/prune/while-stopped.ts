/** What only a command that owns the home may remove: no worker runs then, and none can start. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { listenForInterrupts } from '../../process/interrupts.ts';
import type { ApiClient } from '../../server/api-client.ts';
import { reachServer } from '../../server/reach-server.ts';
import { lockHome } from '../../stack/home-lock.ts';
import type { Area } from './areas.ts';
import { isUnneeded, listNeeds } from './needed-mirrors.ts';
import type { Limited } from './prune-home.ts';

type Client = Pick<ApiClient, 'list'>;

/** Owns the home during the work. The database can be asked only if it is in the home. */
export async function whileStopped(
  config: Config,
  work: (client: Client | undefined) => Promise<void>,
): Promise<void> {
  const { home, databaseUrl } = config;
  if (databaseUrl !== undefined || !existsSync(join(home, 'postgres'))) {
    const lock = lockHome(home);
    return work(undefined).finally(() => lock.release());
  }
  const interrupts = listenForInterrupts();
  const reaching = {
    config: { ...config, url: undefined },
    purpose: 'look' as const,
    signal: interrupts.signal,
  };
  const { client, stack } = await reachServer(reaching);
  try {
    // Without a stack of this command, a server has been started in the meantime.
    if (stack) await work(client);
  } finally {
    await stack?.stop();
    interrupts.stopListening();
  }
}

/** Tools can be downloaded again. A mirror may hold the only copy of a checkpoint. */
export async function limitToUnneeded(
  area: Area,
  client: Client | undefined,
  { searchPath }: Pick<Config, 'searchPath'>,
): Promise<Limited> {
  if (area.name !== 'mirrors') return area;
  if (!client)
    return { ...area, removable: [], why: 'kept: there is no database here that knows who needs them' };
  const needs = await listNeeds(client);
  if (needs.unfinished.length > 0) {
    const count = needs.unfinished.length;
    return {
      ...area,
      removable: [],
      why: `kept: ${count === 1 ? 'an operation is' : `${count} operations are`} not finished`,
    };
  }
  const judged = await Promise.all(
    area.removable.map(async (mirror) => ({ mirror, removes: await isUnneeded(mirror, needs, searchPath) })),
  );
  const removable = judged.filter(({ removes }) => removes).map(({ mirror }) => mirror);
  const isAll = removable.length === area.removable.length;
  return { ...area, removable, ...(!isAll && { why: 'some are kept: their proposals wait for a decision' }) };
}
