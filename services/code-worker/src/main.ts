/** The code-worker process: thinks, and runs no foreign code. Prints one line of JSON when it takes work. */
import { setTimeout as delay } from 'node:timers/promises';
import { createModel } from '@fettle/agent';
import { clearScratchFolders } from '@fettle/git';
import { createFailureNote, createLog } from '@fettle/log';
import { assertRedisAnswers, connectRedis, consumeCodeQueue, onWorkSignal } from '@fettle/queue';
import { openRegistry } from '@fettle/registry';
import { createRedaction } from '@fettle/secrets';
import { SettingsError, startOrExplain } from '@fettle/settings';
import { createApiClient } from './attempt/api-client.ts';
import { startSignOfLife } from './attempt/liveness-file.ts';
import { type Worker, workOperation } from './attempt/run-attempt.ts';
import { readConfig } from './config/config.ts';
import { chooseSandbox } from './sandboxes/choose-sandbox.ts';
import { createSandboxReserve } from './sandboxes/sandbox-reserve.ts';
import { createSecondOpinion } from './secrets/gitleaks-scanner.ts';

/** How long a Redis that is just starting is waited for. */
const patienceMs = 15_000;
const stopLimitMs = 30_000;
/** What is not handed over by then cannot be: the api is away, and finds out by itself. The rest is for clearing away. */
const handOverLimitMs = 27_000;
const settledMs = 1_000;

const config = await startOrExplain(() => readConfig(process.env));
// For the doctor, who wants to know no more than this.
if (process.argv[2] === '--check-settings') process.exit(0);
const redaction = createRedaction(config.secrets);
const log = createLog('code-worker', config.logLevel, redaction.text);
await clearScratchFolders();
// Started with everything else, whose need of the machine comes first.
const chosen = chooseSandbox(config, log);
const redis = connectRedis(config.redisUrl);
await startOrExplain(() =>
  assertRedisAnswers(redis, patienceMs).catch((error: Error) => {
    throw new SettingsError(`REDIS_URL: ${error.message}; it must name a Redis that runs`);
  }),
);
const subscription = connectRedis(config.redisUrl);
const { backend, sandbox: first, passedOver } = await chosen;
const sandboxes = createSandboxReserve(backend.start, { first });
backend.clearLeftovers().then(
  (names) => names.length > 0 && log.warn({ names }, 'cleared away what a killed worker had left'),
  (error) => log.warn({ err: error }, 'what a killed worker had left could not be cleared away'),
);
const secondOpinion = createSecondOpinion(config.gitleaks);
let stopping = false;
const worker: Worker = {
  config,
  api: createApiClient({ ...config, redact: redaction.value }),
  redis,
  model: createModel(config.model),
  sandboxes,
  registry: openRegistry(config.registries),
  redaction,
  secondOpinion,
  log,
  running: new Map(),
  isStopping: () => stopping,
};

await onWorkSignal(subscription, (operationId, signal) => {
  const { stopSwitch, mailbox } = worker.running.get(operationId) ?? {};
  if (signal === 'message') mailbox?.ring();
  else if (signal === 'cancel') stopSwitch?.stop('cancelled');
  else if (signal === 'pause') stopSwitch?.askToYield('paused');
  else stopSwitch?.goOn();
});
const queueNote = createFailureNote(log, 'the queue does not answer; it will be tried again');
const consumer = consumeCodeQueue(redis, {
  concurrency: config.concurrency,
  async work(operationId) {
    queueNote.well();
    return workOperation(worker, operationId);
  },
  onFailed: (error) => log.warn({ err: error }, 'a job was not done'),
  onError: queueNote.failed,
});
await consumer.ready();
const signOfLife =
  config.signOfLife === undefined
    ? undefined
    : startSignOfLife({ path: config.signOfLife, answers: () => redis.ping() });
process.stdout.write(`${JSON.stringify({ ready: true, sandbox: backend.name, passedOver })}\n`);
log.info({ concurrency: config.concurrency, model: config.model.model }, 'worker takes work');

// A little later, since only a push needs it, and says the same again.
setTimeout(async () => {
  const why = await secondOpinion.problem();
  if (why !== undefined) log.warn({ why }, 'nothing can be pushed');
}, settledMs).unref();

/** Takes no more, hands over what is under way, and is gone in time. */
async function stop(): Promise<void> {
  setTimeout(() => process.exit(1), stopLimitMs).unref();
  stopping = true;
  signOfLife?.stop();
  for (const { stopSwitch } of worker.running.values()) stopSwitch.askToYield('worker_stopped');
  const late = delay(handOverLimitMs, 'late' as const, { ref: false });
  const end = await Promise.race([consumer.close(), late]);
  await sandboxes.close();
  subscription.disconnect();
  redis.disconnect();
  process.exit(end === 'late' ? 1 : 0);
}
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
