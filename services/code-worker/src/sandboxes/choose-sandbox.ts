import { join } from 'node:path';
import type { Log } from '@fettle/log';
import { type Choice, chooseBackend } from '@fettle/sandbox';
import { toolsFolder } from '@fettle/toolchain';
import type { Config } from '../config/config.ts';

const noSandboxExitCode = 4;
/** Warming up would slow down the start of the worker. */
const warmUpAfterMs = 5_000;

/** Chooses the sandbox backend, and exits with an explanation if none is available. */
export async function chooseSandbox(config: Config, log: Log): Promise<Extract<Choice, { ok: true }>> {
  const choice = await chooseBackend(config.sandbox, {
    folder: join(config.home, 'sandboxes'),
    searchPath: config.searchPath,
    limits: config.sandboxLimits,
    readOnly: config.sandboxFolders,
    tools: toolsFolder(config.home),
    broker: config.broker,
    brokerMissing: config.brokerMissing,
    owner: config.workerName.replaceAll(/[^A-Za-z0-9._-]/g, '-').slice(0, 100),
    warmUpAfterMs,
  });
  if (choice.ok) {
    const { backend, passedOver } = choice;
    log.info({ backend: backend.name, passedOver }, 'sandbox backend chosen');
    return choice;
  }
  const reasons = choice.refusals.map(({ name, reason }) => `  ${name}: ${reason}`).join('\n');
  process.stderr.write(
    `FETTLE_SANDBOX: no sandbox is available on this machine.\n${reasons}\n` +
      "Install bubblewrap ('apt-get install bubblewrap') or start Docker; run 'fettle doctor' for details.\n",
  );
  process.exit(noSandboxExitCode);
}
