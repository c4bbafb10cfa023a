import { type Database, DatabaseError, type Holding, holdAlone } from '@fettle/database';
import { localForge } from '@fettle/forge';
import type { Log } from '@fettle/log';
import { assertRedisAnswers, connectRedis, openCodeQueue } from '@fettle/queue';
import type { Redaction } from '@fettle/secrets';
import { SettingsError } from '@fettle/settings';
import { buildApp } from './app.ts';
import { ensureAdminToken, hashToken } from './auth/admin-token.ts';
import type { Config } from './config.ts';
import { createEventTail } from './events/event-tail.ts';
import { startStoringEvents } from './events/store-events.ts';
import { startOutbox } from './outbox/outbox.ts';
import { startReconciling } from './reconcile/start-reconciling.ts';
import { createStateAges } from './reconcile/state-ages.ts';
import { createWorkerLiveness } from './reconcile/worker-liveness.ts';
import { watchRedis } from './redis/redis-watch.ts';
import { createAdmission } from './redis/resync-redis.ts';
import { listRedisNotes } from './routes/health.ts';
import { within } from './within.ts';

/** How long a Redis that is just starting, or an api that is about to end, is waited for. */
const patienceMs = 15_000;

export interface ApiStart {
  config: Config;
  log: Log;
  redaction: Redaction;
  opening: Promise<Database>;
}

/** Wires the api's parts together and listens. */
export async function startApi({ config, log, redaction, opening }: ApiStart) {
  const redis = connectRedis(config.redisUrl);
  const queue = openCodeQueue(redis);
  const database = await opening.catch(explainDatabase);
  const holding = await hold(config, log).catch(explainDatabase);
  await assertRedisAnswers(redis, patienceMs).catch((error: Error) => {
    throw new SettingsError(`REDIS_URL: ${error.message}; it must name a Redis that runs`);
  });
  for (const note of await listRedisNotes(redis)) log.warn(note);
  const adminToken = ensureAdminToken(config.home);
  redaction.register(adminToken);
  await database.people.ensureInstallation({
    adminTokenHash: hashToken(adminToken),
    adminName: 'admin',
    adminEmail: 'admin@localhost',
  });
  const tail = createEventTail();
  const admission = createAdmission({ database, redis, log });
  const { admit } = admission;
  redis.on('ready', () => admit().catch(() => {}));
  const redisWatch = watchRedis(redis, log);
  const outbox = startOutbox({ database, redis, tail, queue, admission, log });
  const liveness = createWorkerLiveness();
  const reconciling = startReconciling({
    ...{ database, redis, tail, queue, outbox, liveness, log },
    ages: createStateAges(),
    rules: config,
  });
  const storage = startStoringEvents({ database, redis, redisUrl: config.redisUrl, tail, admit, log });
  const forge = localForge({
    repositories: config.repositories,
    hosts: config.gitHosts,
    storePullRequest: (proposal) => database.pullRequests.open(proposal),
  });

  const app = await buildApp({
    config,
    database,
    redis,
    redisWatch,
    queue,
    outbox,
    tail,
    liveness,
    storage,
    forge,
    redaction,
    log,
  });
  const url = await app.listen({ host: config.host, port: config.port });
  return {
    url,
    async stop(): Promise<void> {
      await app.close();
      await reconciling.stop();
      await storage.stop();
      await outbox.stop();
      redisWatch.stop();
      await within(1_000, queue.close());
      redis.disconnect();
      await database.close();
      await within(1_000, Promise.resolve(holding?.release()));
    },
  };
}

/** An embedded database has a lock of its own. A server's is waited for as long as a rolling restart may take. */
async function hold({ databaseUrl }: Config, log: Log): Promise<Holding | undefined> {
  if (databaseUrl === undefined) return undefined;
  return holdAlone({
    url: databaseUrl,
    patienceMs,
    onLost(error) {
      log.fatal({ err: error }, 'another api has taken over this database; this one ends');
      process.exit(1);
    },
  });
}

/** Every message of a database that cannot be opened says what to do; a stack would only hide it. */
function explainDatabase(error: unknown): never {
  if (!(error instanceof DatabaseError)) throw error;
  throw new SettingsError(error.code === 'unreachable' ? `DATABASE_URL: ${error.message}` : error.message);
}
