import { join } from 'node:path';
import type { Log } from '@fettle/log';
import { type Choice, chooseBackend } from '@fettle/sandbox';
import type { Config } from '../config/config.ts';

const noSandbox = 4;
/** The first one waits while the worker starts; its leisure comes after that. */
const warmUpAfterMs = 5_000;

/** The sandbox that this machine can have, and says which and why; without one there is nothing to work in. */
export async function chooseSandbox(config: Config, log: Log): Promise<Extract<Choice, { ok: true }>> {
  const choice = await chooseBackend(config.sandbox, {
    folder: join(config.home, 'sandboxes'),
    searchPath: config.searchPath,
    limits: config.sandboxLimits,
    readOnly: config.sandboxFolders,
    broker: config.broker,
    brokerMissing: config.brokerMissing,
    owner: config.workerName.replaceAll(/[^A-Za-z0-9._-]/g, '-').slice(0, 100),
    warmUpAfterMs,
  });
  if (choice.ok) {
    const { backend, passedOver } = choice;
    log.info({ backend: backend.name, passedOver }, 'sandboxes are of this kind');
    return choice;
  }
  const reasons = choice.refusals.map(({ name, reason }) => `  ${name}: ${reason}`).join('\n');
  process.stderr.write(
    `FETTLE_SANDBOX: there is no sandbox to be had on this machine.\n${reasons}\n` +
      "Install bubblewrap ('apt-get install bubblewrap') or give access to a Docker engine; 'fettle doctor' looks closer.\n",
  );
  process.exit(noSandbox);
}
