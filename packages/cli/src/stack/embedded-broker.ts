/** Starts the sandbox broker as a child if this machine has a container engine and no other broker is configured. */
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BrokerAddress } from '@fettle/sandbox';
import { CliError, exitCodes, interruptedError, usageError } from '../cli-error.ts';
import type { Config } from '../config.ts';
import { serviceMain } from '../process/workspace.ts';
import { childEnvironment } from './child-environment.ts';
import { findEngineFault } from './engine-fault.ts';
import type { KeepOptions, Running } from './keep-running.ts';
import { childFile } from './previous-children.ts';
import { adviseOn } from './sandbox-advice.ts';
import { ChildError, startChild } from './start-child.ts';

/** The path of a Unix socket has at most about 100 bytes. */
const longestSocketPath = 100;

export interface EmbeddedBroker extends Running {
  address: BrokerAddress;
}

export function wantsBroker({ sandbox, broker }: Config): boolean {
  return broker === undefined && (sandbox === 'auto' || sandbox === 'docker');
}

/** With `auto`, a missing engine is fine and another sandbox is used. An invalid setting is always an error. */
export function canGoWithout({ sandbox }: Config, error: unknown): error is CliError {
  return sandbox === 'auto' && error instanceof CliError && error.exitCode === exitCodes.unavailable;
}

export interface BrokerPlace {
  home: string;
  /** The address before a restart. The worker still uses it, with the same key. */
  previous?: BrokerAddress | undefined;
  /** The label of the containers that it creates. Derived from the home by default. */
  name?: string;
}

export async function startBroker(
  config: Config,
  { home, previous, name = brokerName(home) }: BrokerPlace,
  signal: AbortSignal,
): Promise<EmbeddedBroker> {
  const fault = await findEngineFault(config.engine);
  if (fault !== undefined) throw noContainers(fault);
  const key = previous?.key ?? randomBytes(32).toString('base64url');
  const folder = join(home, 'run');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const socket = join(folder, 'broker.sock');
  // The name depends on the home, so that the next broker removes what a killed one left behind.
  const settings = {
    FETTLE_BROKER_KEY: key,
    FETTLE_BROKER_NAME: config.environment.FETTLE_BROKER_NAME ?? name,
    FETTLE_BROKER_HOST: '127.0.0.1',
    ...(socket.length <= longestSocketPath
      ? { FETTLE_BROKER_SOCKET: socket }
      : { FETTLE_BROKER_PORT: previous ? new URL(previous.url).port : '0' }),
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

/** An engine may exist all the same, without permission for this user or without the image. */
function noContainers(reason: string): CliError {
  const advice = `${adviseOn('docker', reason)} Run 'fettle doctor' for details.`;
  return new CliError('no_sandbox', reason, { exitCode: exitCodes.unavailable, advice });
}

/** The broker prints what the user can fix. Its exit code tells an invalid setting from a missing engine. */
function explain({ status, lines, message }: ChildError): CliError {
  const reason = lines.filter((line) => !line.startsWith('{')).join('; ');
  if (status === exitCodes.usage) return usageError(reason, 'Correct the environment variable, or unset it.');
  if (status === exitCodes.unavailable) return noContainers(reason);
  const advice = 'This is a bug in Fettle. Please report it with these lines.';
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

export interface BrokerStart {
  /** Settings for the worker: the address of the broker, or why there is none. */
  settings: Promise<Record<string, string>>;
  starts: KeepOptions['start'][];
}

export const noBroker: BrokerStart = { settings: Promise.resolve({}), starts: [] };

/** Without a container engine the worker uses another sandbox, unless FETTLE_SANDBOX asks for docker. */
export function brokerStart(config: Config, home: string): BrokerStart {
  if (!wantsBroker(config)) return noBroker;
  const settings = Promise.withResolvers<Record<string, string>>();
  let previous: BrokerAddress | undefined;
  const start = async (signal: AbortSignal): Promise<Running> => {
    try {
      const broker = await startBroker(config, { home, previous }, signal);
      previous = broker.address;
      settings.resolve({ FETTLE_BROKER_URL: previous.url, FETTLE_BROKER_KEY: previous.key });
      return broker;
    } catch (error) {
      // A broker that worked before is restarted like every other service.
      if (previous || !canGoWithout(config, error)) throw error;
      settings.resolve({ FETTLE_BROKER_MISSING: error.message });
      return stayIdle();
    }
  };
  return { settings: settings.promise, starts: [start] };
}

/** Takes the place of a service that was not started. It exits when it is stopped. */
function stayIdle(): Running {
  const ended = Promise.withResolvers<CliError>();
  return { exited: ended.promise, stop: async () => ended.resolve(interruptedError()) };
}
