/** Starts one sandbox on the configured backend, for commands that run without a server. */
import { join } from 'node:path';
import { type Backend, chooseBackend, describeRefusals, type Sandbox } from '@fettle/sandbox';
import { toolsFolder } from '@fettle/toolchain';
import { CliError, exitCodes } from '../cli-error.ts';
import type { Config } from '../config.ts';
import { canGoWithout } from './embedded-broker.ts';
import type { BrokerAccess } from './with-broker.ts';

export async function openChosenSandbox(config: Config, { broker, missing }: BrokerAccess): Promise<Sandbox> {
  if (missing && !canGoWithout(config, missing)) throw missing;
  const choice = await chooseBackend(config.sandbox, {
    folder: join(config.home, 'sandboxes'),
    searchPath: config.searchPath,
    limits: config.sandboxLimits,
    readOnly: config.sandboxFolders,
    tools: toolsFolder(config.home),
    broker,
    brokerMissing: missing?.message,
  });
  if (choice.ok) {
    const { backend, passedOver } = choice;
    const others = passedOver.length === 0 ? '' : ` (not ${describeRefusals(passedOver)})`;
    process.stderr.write(`fettle: sandbox ${backend.name}${others}\n`);
    if (backend.warning) process.stderr.write(`fettle: ${backend.warning}\n`);
    await clearLeftovers(backend);
    return choice.sandbox;
  }
  const reasons = describeRefusals(choice.refusals);
  throw new CliError('no_sandbox', `no sandbox is available (${reasons})`, {
    exitCode: exitCodes.unavailable,
    advice: "Run 'fettle doctor' to see what is missing.",
  });
}

/** A killed command cannot clean up, and a worker that would do it may never start here. */
async function clearLeftovers(backend: Backend): Promise<void> {
  try {
    await backend.clearLeftovers();
  } catch (error) {
    process.stderr.write(`fettle: an earlier sandbox could not be removed: ${(error as Error).message}\n`);
  }
}
