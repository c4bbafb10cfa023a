/** The whole platform as real processes, each of which can be stopped and restarted at the same address. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRedis } from '@fettle/queue/redis';
import { startRehearsal } from '@fettle/rehearsal';
import { findPostgres, startPostgres } from '../../../packages/database/src/testing/postgres-server.ts';
import { startSocketRelay } from '../../../packages/database/src/testing/relay.ts';
import { findFreePort } from '../../support/free-port.ts';
import { makeRepository } from '../../support/repository.ts';
import { type Environment, type ServiceProcess, startService } from '../../support/service-process.ts';
import { errandConversations, errandFiles, readErrand } from '../support/errands.ts';

export type Stage = Awaited<ReturnType<typeof startStage>>;

export interface StageOptions {
  workers: number;
  repositories: number;
  /** PGlite, even if a Postgres server is available. */
  embedded?: boolean;
  /** FETTLE_HOME with a fetched redis-server in it. */
  toolsHome: string;
  /** The sandbox settings of the workers. */
  sandbox: Environment;
  /** The environment of every process, without its settings. */
  surroundings: Environment;
}

const modelLatencyMs = 60;
const leaseSeconds = 3;
/** Faults are frequent here and clocks are wrong by hours, which must not end an operation. */
const patientSettings = {
  FETTLE_LEASE_SECONDS: String(leaseSeconds),
  FETTLE_MAX_ATTEMPTS: '30',
  FETTLE_STATE_LIMITS: 'preparing=604800,acting=604800,verifying=604800,proposing=604800,queued=604800',
};

export async function startStage(options: StageOptions) {
  const home = mkdtempSync(join(tmpdir(), 'fettle-soak-'));
  const clocks = join(home, 'clocks');
  mkdirSync(clocks);
  // Killed processes leave their temporary files here; they are removed with the rest.
  const scratch = join(home, 'tmp');
  mkdirSync(scratch);
  const binaries = options.embedded ? undefined : findPostgres();
  const postgres = binaries === undefined ? undefined : await startPostgres(binaries);
  const databaseUrl = await postgres?.createDatabase();
  const redisPlace = {
    home: options.toolsHome,
    folder: join(home, 'redis'),
    fsync: 'everysec' as const,
  };
  let redis = await startRedis(redisPlace);
  const paid = new Map<string, number>();
  const rehearsal = await startRehearsal({
    conversations: errandConversations,
    latencyMs: modelLatencyMs,
    onFailure() {},
    onRequest({ outcome, body }) {
      const { tag } = readErrand(JSON.stringify(body)) ?? {};
      if (outcome === 'answered' && tag !== undefined) paid.set(tag, (paid.get(tag) ?? 0) + 1);
    },
  });
  const relay = await startSocketRelay({ port: rehearsal.port, host: '127.0.0.1' });
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const repositories = Array.from({ length: options.repositories }, () => makeRepository(errandFiles));
  const environment: Environment = {
    ...options.surroundings,
    ...patientSettings,
    TMPDIR: scratch,
    FETTLE_HOME: home,
    FETTLE_WORKER_KEY: 'a-key-for-the-soak',
    FETTLE_LOG_LEVEL: 'info',
    REDIS_URL: redis.url,
  };
  const started: { name: string; service: ServiceProcess }[] = [];

  async function start(name: string, main: string, given: Environment): Promise<ServiceProcess> {
    const service = await startService(main, {
      ...environment,
      FETTLE_TEST_CLOCK: join(clocks, name),
      ...given,
    });
    started.push({ name, service });
    return service;
  }

  const startApi = (more: Environment = {}) =>
    start('api', 'services/api/src/main.ts', {
      FETTLE_PORT: String(port),
      DATABASE_URL: databaseUrl,
      ...more,
    });

  /** Redis may be away just now, and then a worker that starts gives up after a while, as it should. */
  async function startWorker(name: string, more: Environment = {}): Promise<ServiceProcess> {
    for (let tries = 1; ; tries++) {
      try {
        return await start(name, 'services/code-worker/src/main.ts', {
          FETTLE_WORKER_NAME: name,
          FETTLE_URL: url,
          ...options.sandbox,
          FETTLE_MODEL_IDLE_SECONDS: '5',
          ANTHROPIC_API_KEY: 'rehearsal',
          ANTHROPIC_BASE_URL: `http://127.0.0.1:${relay.port}`,
          ...more,
        });
      } catch (error) {
        if (tries === 5) throw error;
      }
    }
  }

  let api = await startApi();
  const names = Array.from({ length: options.workers }, (_, index) => `worker-${index + 1}`);
  const concurrencyOf = (name: string) => String(2 + (names.indexOf(name) % 3));
  const startNamed = (name: string) => startWorker(name, { FETTLE_CONCURRENCY: concurrencyOf(name) });
  const workers = new Map<string, ServiceProcess>();
  for (const name of names) workers.set(name, await startNamed(name));

  return {
    ...{ home, url, repositories, relay, rehearsal, postgres, databaseUrl, leaseSeconds, workers, paid },
    token: readFileSync(join(home, 'admin-token'), 'utf8').trim(),
    redisUrl: redis.url,
    startWorker,
    /** The logs of all processes that ever ran, those with something to warn of. */
    warnings: () => started.flatMap(({ name, service }) => listWarnings(name, service.log())),
    logs: () => started.map(({ name, service }) => `=== ${name} ${service.pid}\n${service.log()}`).join('\n'),
    async replaceWorker(name: string, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
      await end(name, workers.get(name), signal);
      workers.set(name, await startNamed(name));
    },
    async replaceApi(signal: 'SIGKILL' | 'SIGTERM', awayMs: number, more: Environment = {}): Promise<void> {
      await end('the api', api, signal);
      await sleep(awayMs);
      api = await startApi(more);
    },
    apiEnded: () => api.exited,
    async replaceRedis(signal: 'SIGKILL' | 'SIGTERM', awayMs: number): Promise<void> {
      process.kill(redis.pid, signal);
      await redis.exited;
      await sleep(awayMs);
      redis = await startRedis(redisPlace);
    },
    setClock: (name: string, wrongByMs: number) => writeFileSync(join(clocks, name), String(wrongByMs)),
    clockNames: () => ['api', ...names],
    /** Everything that works; what they work on stays, to be looked at. */
    async stopServices(): Promise<void> {
      await Promise.all([...workers.values()].map((worker) => worker.stop()));
      await api.stop();
      await relay.close();
      await rehearsal.close();
    },
    async close(): Promise<void> {
      for (const { service } of started.toReversed()) await service.kill('SIGKILL');
      await relay.close();
      await rehearsal.close();
      await redis.stop();
      await postgres?.stop();
      for (const repository of repositories) repository.remove();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** A service has half a minute to end, and this machine may be slow. */
const endLimitMs = 60_000;

async function end(
  name: string,
  service: ServiceProcess | undefined,
  signal: 'SIGKILL' | 'SIGTERM',
): Promise<void> {
  const ended = await Promise.race([service?.kill(signal), sleep(endLimitMs).then(() => 'late' as const)]);
  if (ended === 'late') throw new Error(`${name} did not end within ${endLimitMs / 1000} s of ${signal}`);
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref());

function listWarnings(name: string, log: string): string[] {
  return log.split('\n').flatMap((line) => (/"level":(40|50|60)/.test(line) ? [`${name} ${line}`] : []));
}
