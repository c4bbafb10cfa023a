/** Fetches deliveries that GitHub made and Fettle did not receive, so that downtime and a missing public address lose nothing. */
import type { Database } from '@fettle/database';
import { createFailureNote, type Log } from '@fettle/log';
import { z } from 'zod';
import { within } from '../../within.ts';
import type { GithubClient } from '../context.ts';
import { knownEvents } from '../events/list-effects.ts';

export interface PollOptions {
  database: Database;
  app: GithubClient;
  log: Log;
  everyMs: number;
  wake(id: string): void;
}

const cursorName = 'github-deliveries';
/** GitHub keeps deliveries for three days. */
const keptMs = 3 * 24 * 60 * 60_000;
/** A delivery may appear in the list a little later than its time. */
const overlapMs = 10 * 60_000;
const perPage = 100;
const maxPages = 300;

const itemSchema = z.object({
  id: z.number(),
  guid: z.string(),
  delivered_at: z.string(),
  event: z.string(),
});
type Item = z.infer<typeof itemSchema>;
const detailSchema = z.object({ request: z.object({ payload: z.unknown() }) });

/** Returns how many deliveries were missing. */
async function pollDeliveries({
  database,
  app,
  wake,
}: Pick<PollOptions, 'app' | 'database' | 'wake'>): Promise<number> {
  const startedAt = Date.now();
  const complete = Number(await database.forgeEvents.readCursor(cursorName)) || startedAt - keptMs;
  const listed = await listSince(app, complete - overlapMs);
  const missing = await database.forgeEvents.listUnknown([...listed.keys()]);
  // Oldest first, so that an interruption leaves no gap before what was fetched.
  for (const guid of missing.toReversed()) {
    const item = listed.get(guid);
    if (item) await fetchDelivery({ database, app, item, wake });
  }
  await database.forgeEvents.writeCursor(cursorName, String(startedAt));
  await database.forgeEvents.forget(new Date(startedAt - 2 * keptMs));
  return missing.length;
}

/** Newest first, one for each event: redeliveries share a guid. */
async function listSince(app: GithubClient, sinceMs: number): Promise<Map<string, Item>> {
  const items = new Map<string, Item>();
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const { data, headers } = await app.request('GET /app/hook/deliveries', {
      per_page: perPage,
      ...(cursor !== undefined && { cursor }),
    });
    const found = itemSchema.array().parse(data);
    for (const item of found) items.set(item.guid, item);
    const oldest = Math.min(...found.map(({ delivered_at }) => Date.parse(delivered_at)));
    cursor = /[?&]cursor=([^&>]+)[^>]*>;\s*rel="next"/.exec(headers.link ?? '')?.[1];
    if (cursor === undefined || oldest < sinceMs) break;
    cursor = decodeURIComponent(cursor);
  }
  return items;
}

async function fetchDelivery({
  database,
  app,
  item,
  wake,
}: Pick<PollOptions, 'app' | 'database' | 'wake'> & { item: Item }): Promise<void> {
  const { guid, event, id } = item;
  if (!knownEvents.includes(event)) {
    await database.forgeEvents.receive({ id: guid, event, note: 'Fettle does nothing for this event.' });
    return;
  }
  const { data } = await app.request('GET /app/hook/deliveries/{delivery_id}', { delivery_id: id });
  const payload = JSON.stringify(detailSchema.parse(data).request.payload);
  if (await database.forgeEvents.receive({ id: guid, event, payload })) wake(guid);
}

export function startPolling({ everyMs, log, ...options }: PollOptions) {
  const note = createFailureNote(log, 'the list of webhooks could not be read; it will be retried');
  let running: Promise<void> | undefined;
  let stopped = false;

  async function poll(): Promise<void> {
    try {
      const missing = await pollDeliveries(options);
      if (missing > 0) log.info({ deliveries: missing }, 'webhooks that did not arrive were fetched');
      note.recovered();
    } catch (error) {
      if (!stopped) note.failed(error);
    }
  }
  const tick = () => {
    running ??= poll().finally(() => {
      running = undefined;
    });
  };
  tick();
  const timer = setInterval(tick, everyMs);
  return {
    async stop(): Promise<void> {
      stopped = true;
      clearInterval(timer);
      await within(1_000, Promise.resolve(running));
    },
  };
}
