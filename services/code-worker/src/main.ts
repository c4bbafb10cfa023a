/** The code-worker process. It prints one line of JSON when it is ready to take jobs. */
import { setTimeout as delay } from 'node:timers/promises';
import { clearScratchFolders } from '@fettle/git';
import { createFailureNote, createLog } from '@fettle/log';
import { assertRedisAnswers, connectRedis, consumeCodeQueue, onWorkSignal } from '@fettle/queue';
import { openRegistry } from '@fettle/registry';
import { createRedaction } from '@fettle/secrets';
import { SettingsError, startOrExplain, warnAboutUnknownSettings } from '@fettle/settings';
import { openToolchain } from '@fettle/toolchain';
import { createApiClient } from './attempt/api-client.ts';
import { runAttempt } from './attempt/run-attempt.ts';
import type { Worker } from './attempt/worker.ts';
import { readConfig } from './config/config.ts';
import { createModels } from './models.ts';
import { watchReadiness } from './readiness/watch-readiness.ts';
import { chooseSandbox } from './sandboxes/choose-sandbox.ts';
import { createProgramList } from './sandboxes/list-programs.ts';
import { createSandboxReserve } from './sandboxes/sandbox-reserve.ts';
import { createGitleaksScanner } from './secrets/gitleaks-scanner.ts';

/** How long to wait for a Redis that is just starting. */
const redisTimeoutMs = 15_000;
const stopTimeoutMs = 30_000;
/** Leaves time to close the sandboxes. An api that is still unreachable by then finds out by the expired lease. */
const handOverTimeoutMs = 27_000;
/** When a job comes again that this worker cannot do. Another worker may take it then. */
const notReadyMs = 1_000;

const config = await startOrExplain(() => readConfig(process.env));
// Used by `fettle doctor`.
if (process.argv[2] === '--check-settings') process.exit(0);
const redaction = createRedaction(config.secrets);
const log = createLog('code-worker', config.logLevel, redaction.text);
warnAboutUnknownSettings(log, process.env);
await clearScratchFolders();
// Runs while Redis connects.
const chosen = chooseSandbox(config, log);
const redis = connectRedis(config.redisUrl);
await startOrExplain(() =>
  assertRedisAnswers(redis, redisTimeoutMs).catch((error: Error) => {
    throw new SettingsError(`REDIS_URL must point to a running Redis server: ${error.message}`);
  }),
);
const subscription = connectRedis(config.redisUrl);
const { backend, sandbox: first, passedOver } = await chosen;
const sandboxes = createSandboxReserve(backend.start, { first });
backend.clearLeftovers().then(
  (names) => names.length > 0 && log.warn({ names }, 'removed sandboxes that a killed worker left behind'),
  (error) => log.warn({ err: error }, 'could not remove the sandboxes that a killed worker left behind'),
);
const gitleaks = createGitleaksScanner(config.gitleaks);
const registry = openRegistry(config.registries);
let stopping = false;
const worker: Worker = {
  config,
  api: createApiClient({ ...config, redact: redaction.value, log }),
  redis,
  models: createModels(config),
  sandboxes,
  registry,
  toolchain: openToolchain(config.home, registry),
  listPrograms: createProgramList(),
  redaction,
  gitleaks,
  log,
  running: new Map(),
  isStopping: () => stopping,
};

await onWorkSignal(subscription, (operationId, signal) => {
  const { stopSwitch, inbox } = worker.running.get(operationId) ?? {};
  if (signal === 'message') inbox?.notify();
  else if (signal === 'cancel') stopSwitch?.stop('cancelled');
  else if (signal === 'pause') stopSwitch?.askToYield('paused');
  else stopSwitch?.resume();
});
const queueNote = createFailureNote(log, 'the queue does not answer; retrying');
const consumer = consumeCodeQueue(redis, {
  concurrency: config.concurrency,
  async work(operationId) {
    queueNote.recovered();
    if (!(await readiness.canStart())) return notReadyMs;
    return runAttempt(worker, operationId);
  },
  onFailed: (error) => log.warn({ err: error }, 'a job failed'),
  onError: queueNote.failed,
});
const readiness = watchReadiness(worker, backend, consumer);
// Before it says that it is ready: a signal may follow at once.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
await consumer.ready();
process.stdout.write(`${JSON.stringify({ ready: true, sandbox: backend.name, passedOver })}\n`);
log.info({ concurrency: config.concurrency, model: config.model.model }, 'worker is ready');

/** Takes no more jobs, hands over the running ones, and exits within the time limit. */
async function stop(): Promise<void> {
  setTimeout(() => process.exit(1), stopTimeoutMs).unref();
  stopping = true;
  readiness.stop();
  for (const { stopSwitch } of worker.running.values()) stopSwitch.askToYield('worker_stopped');
  const late = delay(handOverTimeoutMs, 'late' as const, { ref: false });
  const end = await Promise.race([consumer.close(), late]);
  await sandboxes.close();
  subscription.disconnect();
  redis.disconnect();
  process.exit(end === 'late' ? 1 : 0);
}
