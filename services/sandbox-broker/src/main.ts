/** The sandbox broker, the only process with the engine's socket. Prints one line of JSON with its URL when it is ready. */
import { createLog } from '@fettle/log';
import { createRedaction } from '@fettle/secrets';
import { startOrExplain, warnAboutUnknownSettings } from '@fettle/settings';
import { readConfig } from './config.ts';
import { startBroker } from './start-broker.ts';

const stopLimitMs = 30_000;

const config = await startOrExplain(() => readConfig(process.env));
// For `fettle doctor`: only checks the settings.
if (process.argv[2] === '--check-settings') process.exit(0);
const log = createLog('sandbox-broker', config.logLevel, createRedaction([config.key]).text);
warnAboutUnknownSettings(log, process.env);
const broker = await startOrExplain(() => startBroker(config, log));
// Before it says that it is ready: a signal may follow at once.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
process.stdout.write(`${JSON.stringify({ url: broker.url })}\n`);
log.info({ url: broker.url, images: config.images }, 'broker is ready');

async function stop(): Promise<void> {
  setTimeout(() => process.exit(1), stopLimitMs).unref();
  await broker.stop();
  process.exit(0);
}
