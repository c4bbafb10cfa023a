/** The api process, the only one that uses the database. Prints one line of JSON with its URL when it is ready. */
import { join } from 'node:path';
import { createLog } from '@fettle/log';
import { createRedaction } from '@fettle/secrets';
import { startOrExplain, warnAboutUnknownSettings } from '@fettle/settings';
import { readConfig } from './config.ts';

const config = await startOrExplain(() => readConfig(process.env));
// `fettle doctor` only checks the settings.
if (process.argv[2] === '--check-settings') process.exit(0);
const redaction = createRedaction(config.secrets);
const log = createLog('api', config.logLevel, redaction.text);
warnAboutUnknownSettings(log, process.env);

// Opening an embedded database takes longest, so it starts before the other modules are loaded.
const { openDatabase } = await import('@fettle/database');
const opening = openDatabase(
  config.databaseUrl ? { url: config.databaseUrl } : { folder: join(config.home, 'postgres') },
);
opening.catch(() => {});
const { startApi } = await import('./start-api.ts');

const api = await startOrExplain(() => startApi({ config, log, redaction, opening }));
// Before it says that it is ready: a signal may follow at once.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
process.stdout.write(`${JSON.stringify({ url: api.url })}\n`);
log.info({ url: api.url }, 'api is ready');

async function stop(): Promise<void> {
  await api.stop();
  process.exit(0);
}
