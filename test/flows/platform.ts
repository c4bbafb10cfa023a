/** The whole platform as real processes, on a home of its own, with a rehearsal as its model. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Event, Operation, RequestInput } from '@fettle/contract';
import { isSettled } from '@fettle/contract';
import { startRedis } from '@fettle/queue/redis';
import { type Conversation, startRehearsal } from '@fettle/rehearsal';
import { readEventStream } from './read-event-stream.ts';

const root = resolve(import.meta.dirname, '../..');

export interface PlatformOptions {
  conversations: Conversation[];
  settings?: Record<string, string>;
  latencyMs?: number;
}

export type Platform = Awaited<ReturnType<typeof startPlatform>>;

export async function startPlatform({ conversations, settings = {}, latencyMs = 0 }: PlatformOptions) {
  const home = mkdtempSync(join(tmpdir(), 'fettle-flow-'));
  const toolsHome = process.env.FETTLE_HOME ?? join(homedir(), '.fettle');
  const redis = await startRedis({ home: toolsHome, folder: join(home, 'redis'), fsync: 'everysec' });
  const rehearsal = await startRehearsal({ conversations, latencyMs, onFailure() {} });
  const environment = {
    PATH: process.env.PATH,
    TMPDIR: process.env.TMPDIR,
    FETTLE_TEST_RUN: process.env.FETTLE_TEST_RUN,
    FETTLE_HOME: home,
    FETTLE_WORKER_KEY: 'a-key-for-the-flow-tests',
    FETTLE_LOG_LEVEL: 'warn',
    REDIS_URL: redis.url,
    ...settings,
  };
  const api = await startProcess('services/api/src/main.ts', { ...environment, FETTLE_PORT: '0' });
  const url = String(api.ready.url);
  const worker = await startProcess('services/code-worker/src/main.ts', {
    ...environment,
    FETTLE_URL: url,
    FETTLE_SANDBOX: 'process',
    FETTLE_MODEL_IDLE_SECONDS: '2',
    ANTHROPIC_API_KEY: 'rehearsal',
    ANTHROPIC_BASE_URL: rehearsal.url,
    ...settings,
  });
  const token = readFileSync(join(home, 'admin-token'), 'utf8').trim();

  async function call(
    method: string,
    path: string,
    { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
  ) {
    return fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  }

  async function create(request: RequestInput): Promise<Operation> {
    const response = await call('POST', '/v1/operations', { body: request });
    if (response.status !== 201) throw new Error(`not created: ${response.status} ${await response.text()}`);
    return (await response.json()) as Operation;
  }

  /** All events up to the settled state. */
  async function follow(id: string): Promise<Event[]> {
    const events: Event[] = [];
    const response = await call('GET', `/v1/operations/${id}/events`);
    for await (const event of readEventStream(response)) {
      events.push(event);
      if (event.type === 'operation.settled' && isSettled(event.state)) break;
    }
    return events;
  }

  async function run(request: RequestInput): Promise<{ operation: Operation; events: Event[] }> {
    const { id } = await create(request);
    const events = await follow(id);
    const operation = (await (await call('GET', `/v1/operations/${id}`)).json()) as Operation;
    return { operation, events };
  }

  async function close(): Promise<void> {
    await worker.stop();
    await api.stop();
    await rehearsal.close();
    await redis.stop();
    rmSync(home, { recursive: true, force: true });
  }

  return { url, token, home, rehearsal, api, worker, call, create, follow, run, close };
}

async function startProcess(main: string, environment: Record<string, string | undefined>) {
  const child = spawn(process.execPath, [join(root, main)], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-20_000);
  });
  const exited = once(child, 'exit');
  const line = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    exited.then(() => undefined),
  ]);
  if (!line) throw new Error(`${main} did not start:\n${log}`);
  return {
    ready: JSON.parse(String(line[0])),
    pid: child.pid as number,
    log: () => log,
    stop: () => stop(child, exited),
  };
}

async function stop(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await exited;
  clearTimeout(late);
}
