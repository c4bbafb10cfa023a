/** The sandbox broker as a child, where this machine has a container engine and nobody named another broker. */
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import type { BrokerAddress } from '@fettle/sandbox';
import type { Config } from '../config.ts';
import { serviceMain } from '../workspace.ts';
import { childEnvironment } from './child-environment.ts';
import type { Running } from './keep-running.ts';
import { childFile } from './previous-children.ts';
import { startChild } from './start-child.ts';

const engineLimitMs = 2_000;
/** What the path of a Unix socket can hold. */
const longestSocketPath = 100;

export interface EmbeddedBroker extends Running {
  address: BrokerAddress;
}

/** Whether one is wanted and could work; what it lacks beyond that, it says itself. */
export async function wantsBroker({ sandbox, broker, engine }: Config): Promise<boolean> {
  if (broker !== undefined || !['auto', 'docker'].includes(sandbox)) return false;
  return sandbox === 'docker' || engineAnswers(engine);
}

/** `again` is where it was before it ended: the worker knows it there, by that key. */
export async function startBroker(
  config: Config,
  { home, again }: { home: string; again?: BrokerAddress | undefined },
  signal: AbortSignal,
): Promise<EmbeddedBroker> {
  const key = again?.key ?? randomBytes(32).toString('base64url');
  const folder = join(home, 'run');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const socket = join(folder, 'broker.sock');
  // Named by the home, so that the next one clears away what this one leaves if it is killed.
  const settings = {
    FETTLE_BROKER_KEY: key,
    FETTLE_BROKER_NAME: config.environment.FETTLE_BROKER_NAME ?? brokerName(home),
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
  );
  const { url } = JSON.parse(running.firstLine) as { url: string };
  return { ...running, address: { url, key } };
}

function brokerName(home: string): string {
  return (
    home
      .replaceAll(/[^A-Za-z0-9]+/g, '-')
      .slice(-60)
      .replace(/^-+/, '') || 'home'
  );
}

function engineAnswers(engine: string): Promise<boolean> {
  const url = URL.parse(engine);
  if (!url || !['unix:', 'tcp:', 'http:'].includes(url.protocol)) return Promise.resolve(false);
  const place =
    url.protocol === 'unix:' ? { socketPath: url.pathname } : { host: url.hostname, port: url.port };
  return new Promise((resolve) => {
    const asked = get({ ...place, path: '/_ping', timeout: engineLimitMs }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(false));
  });
}
