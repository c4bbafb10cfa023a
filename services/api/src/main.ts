/** The api process: the only one with the database. Prints one line of JSON with its URL when it is ready. */
import { join } from 'node:path';
import { openDatabase } from '@fettle/database';
import { localForge } from '@fettle/forge';
import { connectRedis, openCodeQueue } from '@fettle/queue';
import { pino } from 'pino';
import { ensureAdminToken, hashToken } from './admin-token.ts';
import { buildApp } from './app.ts';
import { readConfig } from './config.ts';
import { createEventTail } from './events/event-tail.ts';
import { startStoringEvents } from './events/store-events.ts';
import { startOutbox } from './outbox.ts';

const config = readConfig(process.env);
const log = pino({ name: 'api', level: config.logLevel }, pino.destination(2));

const database = await openDatabase(
  config.databaseUrl ? { url: config.databaseUrl } : { folder: join(config.home, 'postgres') },
);
await database.people.ensureInstallation({
  adminTokenHash: hashToken(ensureAdminToken(config.home)),
  adminName: 'admin',
  adminEmail: 'admin@localhost',
});
const redis = connectRedis(config.redisUrl);
const queue = openCodeQueue(redis);
const tail = createEventTail();
const outbox = startOutbox({ database, redis, queue, log });
const storing = startStoringEvents({ database, redis, redisUrl: config.redisUrl, tail, log });
const forge = localForge({ storePullRequest: (proposal) => database.pullRequests.open(proposal) });

const app = await buildApp({ config, database, redis, queue, outbox, tail, forge, log });
const url = await app.listen({ host: config.host, port: config.port });
process.stdout.write(`${JSON.stringify({ url })}\n`);
log.info({ url }, 'api is ready');

async function stop(): Promise<void> {
  await app.close();
  await storing.stop();
  await outbox.stop();
  await queue.close();
  redis.disconnect();
  await database.close();
  process.exit(0);
}
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
