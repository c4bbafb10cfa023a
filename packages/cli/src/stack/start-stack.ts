/** Runs Redis, api and worker as children of this process, on one FETTLE_HOME. */
import { join } from 'node:path';
import { z } from 'zod';
import { type CliError, interruptedError } from '../cli-error.ts';
import type { Config } from '../config.ts';
import { readGhToken } from '../github/gh-token.ts';
import { serviceMain } from '../process/workspace.ts';
import { childEnvironment } from './child-environment.ts';
import { choosePort, urlOf } from './choose-port.ts';
import { brokerStart, noBroker } from './embedded-broker.ts';
import { findTools, redisStart } from './embedded-redis.ts';
import { lockHome } from './home-lock.ts';
import { type KeepOptions, keepTogether } from './keep-running.ts';
import { childFile, waitForPreviousChildren } from './previous-children.ts';
import { removeServerFile, writeServerFile } from './server-file.ts';
import { type ChildOptions, startChild } from './start-child.ts';
import { explainUnwritable } from './unwritable-home.ts';
import { ensureWorkerKey } from './worker-key.ts';

export interface StackOptions {
  config: Config;
  home: string;
  port: number;
  /** Without a worker, operations can be shown and cancelled, but no work is done. */
  children: ('api' | 'worker')[];
  /** `fail`: the exit of one child ends the whole stack. */
  whenChildExits: 'restart' | 'fail';
  /** The stack ends with this command, so other commands must not give it work. */
  embedded?: boolean;
  /** Settings for the worker that win over the user's environment. */
  workerSettings?: Record<string, string>;
  onChildExit?: KeepOptions['onExit'];
  /** Called with the sandbox of the worker, each time a worker has started. */
  onSandbox?(sandbox: string): void;
  signal: AbortSignal;
}

export interface Stack {
  url: string;
  /** Resolves when a child has exited that is not restarted. */
  failed: Promise<CliError>;
  stop(): Promise<void>;
}

export async function startStack(options: StackOptions): Promise<Stack> {
  const { config, home, signal } = options;
  const failure = Promise.withResolvers<CliError>();
  const keep: Omit<KeepOptions, 'start'> = {
    signal,
    restart: options.whenChildExits === 'restart',
    onExit(error, pauseMs) {
      options.onChildExit?.(error, pauseMs);
      if (pauseMs === undefined) failure.resolve(error);
    },
  };

  const lock = lockHome(home);
  // In start order. They are stopped in reverse: worker, api, Redis, and the lock last.
  const running: { stop(): Promise<void> | void }[] = [{ stop: lock.release }];
  try {
    await waitForPreviousChildren(home);
    const port = await choosePort(config.host, options.port);
    const url = urlOf(config.host, port);
    // The services start while Redis starts: they only need its address, and wait for it themselves.
    const redisUrl = Promise.withResolvers<string>();
    const redis = redisStart({
      toolsHome: findTools(config),
      folder: join(home, 'redis'),
      onUrl: redisUrl.resolve,
    });
    if (config.redisUrl !== undefined) redisUrl.resolve(config.redisUrl);
    const broker = options.children.includes('worker') ? brokerStart(config, home) : noBroker;
    const workerKey = config.workerKey ?? ensureWorkerKey(home);
    const services = options.children.map((name) => async (either: AbortSignal) => {
      const brokerSettings = name === 'worker' ? await unlessAborted(broker.settings, either) : {};
      const place = {
        options,
        port,
        url,
        workerKey,
        redisUrl: await unlessAborted(redisUrl.promise, either),
        brokerSettings,
      };
      const settings = childSettings(place);
      const own = name === 'api' ? { ...settings.api, ...(await readGhToken(config)) } : settings.worker;
      const child = await startChild(describeChild(name, options, own), either);
      if (name === 'worker') options.onSandbox?.(describeSandbox(child.firstLine));
      return child;
    });
    const others = [...broker.starts, ...services];
    const starts = config.redisUrl === undefined ? [redis, ...others] : others;
    running.push(...(await keepTogether(starts, keep)));

    const startedAt = new Date().toISOString();
    writeServerFile(home, { pid: process.pid, url, startedAt, embedded: options.embedded ?? !keep.restart });
    running.push({ stop: () => removeServerFile(home) });
    return { url, failed: failure.promise, stop: stopOnce(running) };
  } catch (error) {
    await stopOnce(running)();
    throw explainUnwritable(home, error);
  }
}

function describeChild(
  name: 'api' | 'worker',
  { config, home }: StackOptions,
  settings: Record<string, string>,
): ChildOptions {
  return {
    name,
    main: serviceMain[name],
    environment: childEnvironment(name, config, settings),
    logPath: join(home, 'logs', `${name}.log`),
    recordPath: childFile(home, name),
  };
}

/** Stops waiting when another service has failed to start. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(interruptedError());
    signal.addEventListener('abort', () => reject(interruptedError()), { once: true });
    promise.then(resolve, reject);
  });
}

interface Place {
  options: StackOptions;
  brokerSettings: Record<string, string>;
  port: number;
  url: string;
  redisUrl: string;
  workerKey: string;
}

function childSettings({
  options,
  brokerSettings,
  port,
  url,
  redisUrl,
  workerKey,
}: Place): Record<'api' | 'worker', Record<string, string>> {
  const { config, home, workerSettings } = options;
  const shared = {
    FETTLE_HOME: home,
    FETTLE_WORKER_KEY: workerKey,
    REDIS_URL: redisUrl,
  };
  return {
    api: { ...shared, FETTLE_HOST: config.host, FETTLE_PORT: String(port) },
    worker: {
      ...shared,
      FETTLE_URL: url,
      ...brokerSettings,
      ...workerSettings,
    },
  };
}

const readySchema = z.object({
  sandbox: z.string(),
  passedOver: z.array(z.object({ name: z.string(), reason: z.string() })),
});

/** The sandbox that the worker chose, and why not a stronger one, from its ready line. */
function describeSandbox(firstLine: string): string {
  const { sandbox, passedOver } = readySchema.parse(JSON.parse(firstLine));
  const others = passedOver.map(({ name, reason }) => `${name}: ${reason}`).join('; ');
  return others === '' ? sandbox : `${sandbox} (not ${others})`;
}

function stopOnce(running: { stop(): Promise<void> | void }[]): () => Promise<void> {
  let stopped: Promise<void> | undefined;
  const stopAll = async () => {
    for (const each of running.toReversed()) await each.stop();
  };
  return () => {
    stopped ??= stopAll();
    return stopped;
  };
}
