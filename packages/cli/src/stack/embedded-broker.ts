/** The sandbox broker as a child, where this machine has a container engine and nobody named another broker. */
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BrokerAddress } from '@fettle/sandbox';
import { CliError, exitCodes, usageError } from '../cli-error.ts';
import type { Config } from '../config.ts';
import { serviceMain } from '../process/workspace.ts';
import { childEnvironment } from './child-environment.ts';
import { findEngineFault } from './engine-fault.ts';
import type { Running } from './keep-running.ts';
import { childFile } from './previous-children.ts';
import { adviseOn } from './sandbox-advice.ts';
import { ChildError, startChild } from './start-child.ts';

/** What the path of a Unix socket can hold. */
const longestSocketPath = 100;

export interface EmbeddedBroker extends Running {
  address: BrokerAddress;
}

export function wantsBroker({ sandbox, broker }: Config): boolean {
  return broker === undefined && (sandbox === 'auto' || sandbox === 'docker');
}

/** Where containers were not asked for by name, an engine that is not there will do without; a wrong setting never. */
export function canGoWithout({ sandbox }: Config, error: unknown): error is CliError {
  return sandbox === 'auto' && error instanceof CliError && error.exitCode === exitCodes.unavailable;
}

export interface BrokerPlace {
  home: string;
  /** Where it was before it ended: the worker knows it there, by that key. */
  again?: BrokerAddress | undefined;
  /** On what it makes; from the home where none is given. */
  name?: string;
}

export async function startBroker(
  config: Config,
  { home, again, name = brokerName(home) }: BrokerPlace,
  signal: AbortSignal,
): Promise<EmbeddedBroker> {
  const fault = await findEngineFault(config.engine);
  if (fault !== undefined) throw noContainers(fault);
  const key = again?.key ?? randomBytes(32).toString('base64url');
  const folder = join(home, 'run');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const socket = join(folder, 'broker.sock');
  // Named by the home, so that the next one clears away what this one leaves if it is killed.
  const settings = {
    FETTLE_BROKER_KEY: key,
    FETTLE_BROKER_NAME: config.environment.FETTLE_BROKER_NAME ?? name,
    FETTLE_BROKER_HOST: '127.0.0.1',
    ...(socket.length <= longestSocketPath
      ? { FETTLE_BROKER_SOCKET: socket }
      : { FETTLE_BROKER_PORT: again ? new URL(again.url).port : '0' }),
  };
  const running = await startChild(
    {
      name: 'broker',
      main: serviceMain.broker,
      environment: childEnvironment('broker', config, settings),
      logPath: join(home, 'logs', 'broker.log'),
      recordPath: childFile(home, 'broker'),
    },
    signal,
  ).catch((error: unknown) => {
    throw error instanceof ChildError ? explain(error) : error;
  });
  const { url } = JSON.parse(running.firstLine) as { url: string };
  return { ...running, address: { url, key } };
}

/** There may be an engine all the same: one that this user may not use, or that lacks an image. */
function noContainers(reason: string): CliError {
  const advice = `${adviseOn('docker', reason)} 'fettle doctor' looks closer.`;
  return new CliError('no_sandbox', reason, { exitCode: exitCodes.unavailable, advice });
}

/** The broker says in plain words what a person can mend, and by its exit code whose fault it is. */
function explain({ status, lines, message }: ChildError): CliError {
  const reason = lines.filter((line) => !line.startsWith('{')).join('; ');
  if (status === exitCodes.usage) return usageError(reason, 'Correct the environment variable, or unset it.');
  if (status === exitCodes.unavailable) return noContainers(reason);
  const advice = 'This is a bug in Fettle; please report it with these lines.';
  return new CliError('service_failed', message, { exitCode: exitCodes.unavailable, advice });
}

export function brokerName(home: string): string {
  return (
    home
      .replaceAll(/[^A-Za-z0-9]+/g, '-')
      .slice(-60)
      .replace(/^-+/, '') || 'home'
  );
}
