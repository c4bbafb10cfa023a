/** Reads the database for checks: through the stores if possible, otherwise by plain queries. */
import { join } from 'node:path';
import type { Event, Operation } from '@fettle/contract';
import { openFolder } from '../../../packages/database/src/connection/embedded.ts';
import { connectToServer } from '../../../packages/database/src/connection/server.ts';
import { createDatabase } from '../../../packages/database/src/database.ts';
import { readMigrations } from '../../../packages/database/src/migrations/read-migrations.ts';

/** A server, or the FETTLE_HOME of an embedded database. */
export type RecordsPlace = { databaseUrl: string; home?: string } | { databaseUrl?: undefined; home: string };

export type Records = Awaited<ReturnType<typeof openRecords>>;

const pageLength = 1_000;

export async function openRecords(place: RecordsPlace) {
  const connection =
    place.databaseUrl === undefined
      ? await openFolder(join(place.home, 'postgres'), await readMigrations())
      : await connectToServer(place.databaseUrl);
  const database = createDatabase(connection);
  const { query } = connection;
  const rows = await query('SELECT o.id, r.url FROM operation o JOIN repository r ON r.id = o.repository_id');
  return {
    query,
    /** Where the repository of each operation is. */
    repositories: new Map(rows.map(({ id, url }) => [String(id), String(url)])),
    async listOperations(): Promise<Operation[]> {
      const operations = await Promise.all(rows.map(({ id }) => database.operations.get(String(id))));
      return operations.filter((operation) => operation !== undefined);
    },
    async listEvents(operationId: string): Promise<Event[]> {
      const events: Event[] = [];
      for (;;) {
        const after = events.at(-1)?.position ?? 0;
        const page = await database.events.list({ operationId, after, limit: pageLength });
        events.push(...page);
        if (page.length < pageLength) return events;
      }
    },
    close: () => database.close(),
  };
}
