/** The egress: the way out of the workers. Usage: egress-main.ts <port>. */
import { createLog } from '@fettle/log';
import { createRedaction } from '@fettle/secrets';
import { startOrExplain } from '@fettle/settings';
import { readConfig } from './config.ts';
import { startEgress } from './egress/start-egress.ts';

const config = await startOrExplain(() => readConfig(process.env));
const log = createLog('egress', config.logLevel, createRedaction(config.secrets).text);
const egress = await startEgress({ config, log, port: Number(process.argv[2]) });
log.info({ port: egress.port, hosts: config.hosts }, 'egress is ready');
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(0));
