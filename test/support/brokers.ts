// The limits of containers are the broker's, so that there is one broker for each set of them. A process that the test
// starts uses the test's own: it is going to be killed, and its broker with it would not be.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrokerAddress, SandboxLimits } from '@fettle/sandbox';
import { listOnEngine, removeToolVolumes } from '../../services/sandbox-broker/src/testing/on-engine.ts';
import { type Environment, type ServiceProcess, startService } from './service-process.ts';

export const engine = process.env.FETTLE_TEST_ENGINE;

const KEY = 'a-key-for-the-tests-of-sandboxes';
const MB = 1024 ** 2;
const started = new Map<string, Promise<ServiceProcess>>();
let folder: string | undefined;
const nameOf = (index: number) => `tests-${process.pid}-${index}`;

export async function brokerFor(limits: SandboxLimits | undefined): Promise<BrokerAddress> {
  const given = process.env.ISOLATION_BROKER;
  if (given !== undefined) return { url: given, key: KEY };
  const settings = settingsFor(limits);
  const mark = JSON.stringify(settings);
  const starting = started.get(mark) ?? startBroker(settings, started.size);
  started.set(mark, starting);
  const url = String((await starting).ready.url);
  return { url, key: KEY };
}

/** What a worker has to be told for this kind of sandbox. */
export async function workerSettings(sandbox: string): Promise<Environment> {
  if (sandbox !== 'docker') return { FETTLE_SANDBOX: sandbox };
  const { url, key } = await brokerFor(undefined);
  return { FETTLE_SANDBOX: sandbox, FETTLE_BROKER_URL: url, FETTLE_BROKER_KEY: key };
}

/** The containers and volumes that these brokers have on the engine just now. */
export async function listOfBrokers(): Promise<string[]> {
  const found = await Promise.all([...started.keys()].map((_, index) => listOnEngine(nameOf(index))));
  return found.flatMap(({ containers, volumes }) => [
    ...containers.map((id) => `container ${id}`),
    ...volumes.map((name) => `volume ${name}`),
  ]);
}

export async function stopBrokers(): Promise<void> {
  for (const [index, broker] of [...started.values()].entries()) {
    await (await broker).stop();
    await removeToolVolumes(nameOf(index));
  }
  started.clear();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  folder = undefined;
}

function startBroker(settings: Record<string, string>, index: number): Promise<ServiceProcess> {
  folder ??= mkdtempSync(join(tmpdir(), 'brokers-'));
  return startService('services/sandbox-broker/src/main.ts', {
    ...{ PATH: process.env.PATH, DOCKER_HOST: engine, FETTLE_TEST_RUN: process.env.FETTLE_TEST_RUN },
    // An image that is being worked on can have a name of its own.
    FETTLE_SANDBOX_IMAGES: process.env.FETTLE_SANDBOX_IMAGES,
    FETTLE_BROKER_KEY: KEY,
    FETTLE_BROKER_NAME: nameOf(index),
    FETTLE_BROKER_SOCKET: join(folder, `${index}.sock`),
    FETTLE_LOG_LEVEL: 'warn',
    ...settings,
  });
}

function settingsFor(limits: SandboxLimits | undefined): Record<string, string> {
  if (limits === undefined) return {};
  return {
    FETTLE_SANDBOX_MEMORY_MB: String(Math.round(limits.memoryBytes / MB)),
    FETTLE_SANDBOX_CPUS: String(limits.cpus),
    FETTLE_SANDBOX_PIDS: String(limits.processes),
    FETTLE_SANDBOX_DISK_MB: String(Math.round(limits.diskBytes / MB)),
  };
}
