/** Starts a broker process on a socket in a temporary folder, and checks that it leaves nothing on the engine. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type BrokerAddress, openSandbox, type Sandbox, startDockerToolbox } from '@fettle/sandbox';
import { expect, onTestFinished } from 'vitest';
import { connectTestEngine, engineAddress, listOnEngine, removeToolVolumes } from './on-engine.ts';

const main = join(import.meta.dirname, '../main.ts');

export interface TestBroker extends BrokerAddress {
  name: string;
  process: ChildProcess;
  /** The memory of the broker process. */
  memoryBytes(): number;
  /** Its open files and connections. */
  openFiles(): number;
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Starts the same broker again after it was killed. */
  restart(): Promise<void>;
}

export async function startTestBroker(settings: Record<string, string> = {}): Promise<TestBroker> {
  const folder = mkdtempSync(join(tmpdir(), 'broker-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const name = `test-${randomBytes(6).toString('hex')}`;
  const key = randomBytes(16).toString('hex');
  const environment = {
    PATH: process.env.PATH,
    TMPDIR: process.env.TMPDIR,
    FETTLE_TEST_RUN: process.env.FETTLE_TEST_RUN,
    DOCKER_HOST: engineAddress,
    FETTLE_BROKER_KEY: key,
    FETTLE_BROKER_NAME: name,
    FETTLE_BROKER_SOCKET: join(folder, 'socket'),
    FETTLE_LOG_LEVEL: 'error',
    ...settings,
  };
  let child = await launch(environment);
  onTestFinished(async () => {
    await end(child, 'SIGTERM');
    const left = await listOnEngine(name);
    await clearOnEngine(name);
    expect(left).toEqual({ containers: [], volumes: [] });
  });
  return {
    url: `unix://${join(folder, 'socket')}`,
    key,
    name,
    get process() {
      return child;
    },
    memoryBytes: () =>
      Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) * 1024,
    openFiles: () => readdirSync(`/proc/${child.pid}/fd`).length,
    stop: (signal = 'SIGTERM') => end(child, signal),
    async restart() {
      child = await launch(environment);
    },
  };
}

/** Resolves when the broker is ready. Rejects with its error output if it exits instead. */
async function launch(environment: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const child = spawn(process.execPath, [main], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ready = once(createInterface(child.stdout), 'line');
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`the broker ended with ${code}: ${stderr}`);
  });
  exited.catch(() => {});
  await Promise.race([ready, exited]);
  return child;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

export async function clearOnEngine(name: string): Promise<void> {
  const engine = connectTestEngine();
  const { containers, volumes } = await listOnEngine(name);
  for (const id of containers) await engine.getContainer(id).remove({ force: true, v: true });
  for (const volume of volumes)
    await engine
      .getVolume(volume)
      .remove()
      .catch(() => {});
  await removeToolVolumes(name);
}

/** A sandbox that is closed at the end of the test. */
export async function openTestSandbox(broker: BrokerAddress): Promise<Sandbox> {
  const toolbox = await startDockerToolbox({ broker, owner: 'test' });
  const sandbox = await openSandbox(toolbox, {
    backend: 'docker',
    warning: undefined,
    helloTimeoutMs: 60_000,
  });
  onTestFinished(() => sandbox.close());
  return sandbox;
}
