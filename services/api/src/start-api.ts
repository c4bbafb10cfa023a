import { join } from 'node:path';
import {
  acquireSingleInstanceLock,
  type Database,
  DatabaseError,
  type SingleInstanceLock,
} from '@fettle/database';
import type { Log } from '@fettle/log';
import { assertRedisAnswers, connectRedis, openCodeQueue } from '@fettle/queue';
import type { Redaction } from '@fettle/secrets';
import { SettingsError } from '@fettle/settings';
import { buildApp } from './app.ts';
import { ensureAdminToken, hashToken } from './auth/admin-token.ts';
import { openCheckpointFolder } from './checkpoints/checkpoint-store.ts';
import type { Config } from './config.ts';
import type { Dependencies } from './dependencies.ts';
import { createEventTail } from './events/event-tail.ts';
import { startStoringEvents } from './events/store-events.ts';
import { startKeepingGithub } from './forge/keep-github.ts';
import { openForge } from './forge/open-forge.ts';
import { openEventGithub } from './github/open-event-github.ts';
import { startGithubEvents } from './github/start-github-events.ts';
import { startOutbox } from './outbox/outbox.ts';
import { startReconciling } from './reconcile/start-reconciling.ts';
import { createStateAges } from './reconcile/state-ages.ts';
import { createWorkerLiveness } from './reconcile/worker-liveness.ts';
import { watchRedis } from './redis/redis-watch.ts';
import { createRedisResync } from './redis/resync-redis.ts';
import { listRedisNotes } from './routes/health.ts';
import { within } from './within.ts';
import { createKnownWorkers } from './workers/known-workers.ts';

/** How long to wait for a starting Redis, or for another api that is shutting down. */
const startTimeoutMs = 15_000;

export interface ApiStart {
  config: Config;
  log: Log;
  redaction: Redaction;
  opening: Promise<Database>;
}

/** Creates the dependencies, starts the background loops and listens. */
export async function startApi({ config, log, redaction, opening }: ApiStart) {
  const redis = connectRedis(config.redisUrl);
  const queue = openCodeQueue(redis);
  const database = await opening.catch(explainDatabase);
  const lock = await lockServer(config, log).catch(explainDatabase);
  await assertRedisAnswers(redis, startTimeoutMs).catch((error: Error) => {
    throw new SettingsError(`REDIS_URL must point to a running Redis server: ${error.message}`);
  });
  for (const note of await listRedisNotes(redis)) log.warn(note);
  const adminToken = ensureAdminToken(config.home);
  redaction.register(adminToken);
  const { organizationId } = await database.people.ensureInstallation({
    adminTokenHash: hashToken(adminToken),
    adminName: 'admin',
    adminEmail: 'admin@localhost',
  });
  const tail = createEventTail();
  const resync = createRedisResync({ database, redis, log });
  redis.on('ready', () => resync.ensure().catch(() => {}));
  const redisWatch = watchRedis(redis, log);
  const outbox = startOutbox({ database, redis, tail, queue, resync, log });
  const liveness = createWorkerLiveness();
  const checkpoints = openCheckpointFolder(join(config.home, 'checkpoints'));
  const reconciling = startReconciling({
    ...{ database, redis, tail, queue, outbox, liveness, checkpoints, log },
    ages: createStateAges(),
    rules: config,
  });
  const storage = startStoringEvents({ database, redis, redisUrl: config.redisUrl, tail, resync, log });
  const { forge, github } = openForge({ config, database, log });

  const dependencies: Dependencies = {
    ...{ config, database, redis, redisWatch, queue, outbox, tail, liveness, storage, checkpoints },
    ...{ workers: createKnownWorkers(), forge, github, redaction, log },
  };
  const events =
    github &&
    startGithubEvents({
      dependencies,
      ...{ organizationId, redisUrl: config.redisUrl, pollSeconds: config.github.pollSeconds },
      github: openEventGithub({ github, database, organizationId }),
      rules: { ...config.github, maxRevisions: config.maxRevisions },
    });
  const app = await buildApp(dependencies, {
    secret: config.github.webhookSecret,
    wake: events?.runner.wake,
  });
  const url = await app.listen({ host: config.host, port: config.port });
  const keeping = startKeepingGithub({ github, database, organizationId, log });
  return {
    url,
    async stop(): Promise<void> {
      await app.close();
      await events?.stop();
      await keeping.stop();
      await reconciling.stop();
      await storage.stop();
      await outbox.stop();
      redisWatch.stop();
      await within(1_000, queue.close());
      redis.disconnect();
      await database.close();
      await within(1_000, Promise.resolve(lock?.release()));
    },
  };
}

/** For a database server only: an embedded database locks its folder. Waits as long as a rolling restart may take. */
async function lockServer({ databaseUrl }: Config, log: Log): Promise<SingleInstanceLock | undefined> {
  if (databaseUrl === undefined) return undefined;
  return acquireSingleInstanceLock({
    url: databaseUrl,
    timeoutMs: startTimeoutMs,
    onLost(error) {
      log.fatal({ err: error }, 'another api has taken over the database; this one exits');
      process.exit(1);
    },
  });
}

/** A DatabaseError says what to do; a stack trace would only hide that. */
function explainDatabase(error: unknown): never {
  if (!(error instanceof DatabaseError)) throw error;
  throw new SettingsError(error.code === 'unreachable' ? `DATABASE_URL: ${error.message}` : error.message);
}
