/** The whole platform as real processes, on a home of its own, with a rehearsal as its model. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Event, Operation, OperationDetail, RequestInput } from '@fettle/contract';
import { isSettled } from '@fettle/contract';
import { startRedis } from '@fettle/queue/redis';
import { type Conversation, type RehearsalOptions, startRehearsal } from '@fettle/rehearsal';
import { findFreePort } from './free-port.ts';
import { readEventStream } from './read-event-stream.ts';
import { type Environment, type ServiceProcess, startService } from './service-process.ts';

export interface PlatformOptions extends Pick<RehearsalOptions, 'beforeAnswer'> {
  conversations: Conversation[];
  settings?: Environment;
  latencyMs?: number;
  /** How many workers to start with; one unless told. */
  workers?: number;
  /** The file that services log to, in place of what the test keeps. */
  logTo?: number;
}

export type Platform = Awaited<ReturnType<typeof startPlatform>>;

export async function startPlatform(options: PlatformOptions) {
  const {
    conversations,
    settings = {},
    latencyMs = 0,
    workers: workerCount = 1,
    logTo,
    beforeAnswer,
  } = options;
  const home = mkdtempSync(join(tmpdir(), 'fettle-flow-'));
  const toolsHome = process.env.FETTLE_HOME ?? join(homedir(), '.fettle');
  const gitleaks = join(toolsHome, 'tools', 'gitleaks', 'bin', 'gitleaks');
  shareCompileCache(home);
  const [redis, rehearsal, port] = await Promise.all([
    startRedis({ home: toolsHome, folder: join(home, 'redis'), fsync: 'everysec' }),
    startRehearsal({ conversations, latencyMs, onFailure() {}, ...(beforeAnswer && { beforeAnswer }) }),
    findFreePort(),
  ]);
  const url = `http://127.0.0.1:${port}`;
  const environment: Environment = {
    PATH: process.env.PATH,
    TMPDIR: process.env.TMPDIR,
    FETTLE_TEST_RUN: process.env.FETTLE_TEST_RUN,
    FETTLE_HOME: home,
    FETTLE_WORKER_KEY: 'a-key-for-the-flow-tests',
    FETTLE_LOG_LEVEL: 'warn',
    REDIS_URL: redis.url,
  };
  const started: ServiceProcess[] = [];

  async function startApi(more: Environment = {}): Promise<ServiceProcess> {
    const given = { ...environment, FETTLE_PORT: String(port), ...settings, ...more };
    const api = await startService('services/api/src/main.ts', given, logTo);
    started.push(api);
    return api;
  }

  async function startWorker(more: Environment = {}): Promise<ServiceProcess> {
    const given = {
      ...environment,
      FETTLE_URL: url,
      FETTLE_SANDBOX: 'process',
      FETTLE_MODEL_IDLE_SECONDS: '2',
      // A request for a test would add a round to what a test plays; a test about it turns it on.
      FETTLE_FAULT_EVIDENCE: 'off',
      ...(existsSync(gitleaks) && { FETTLE_GITLEAKS: gitleaks }),
      ANTHROPIC_API_KEY: 'a-key-for-the-rehearsal',
      ANTHROPIC_BASE_URL: rehearsal.url,
      OPENAI_API_KEY: 'rehearsal-of-another-kind',
      OPENAI_BASE_URL: `${rehearsal.url}/v1`,
      ...settings,
      ...more,
    };
    const worker = await startService('services/code-worker/src/main.ts', given, logTo);
    started.push(worker);
    return worker;
  }

  const api = await startApi();
  const workers = await Promise.all(Array.from({ length: workerCount }, () => startWorker()));
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

  /** Without a review, which would add its turns to what a test counts; a test that wants one says so. */
  async function create(asked: RequestInput): Promise<Operation> {
    const request = { review: false, ...asked };
    const response = await call('POST', '/v1/operations', { body: request });
    if (response.status !== 201) throw new Error(`not created: ${response.status} ${await response.text()}`);
    return (await response.json()) as Operation;
  }

  async function get(id: string): Promise<OperationDetail> {
    return (await (await call('GET', `/v1/operations/${id}`)).json()) as OperationDetail;
  }

  /** Events as they come, from the first on. */
  async function* watch(id: string): AsyncGenerator<Event> {
    yield* readEventStream(await call('GET', `/v1/operations/${id}/events`));
  }

  /** All events up to the settled state; with revisions, up to the last of several. */
  async function follow(id: string, { times = 1 } = {}): Promise<Event[]> {
    const events: Event[] = [];
    let settled = 0;
    for await (const event of watch(id)) {
      events.push(event);
      if (event.type === 'operation.settled' && isSettled(event.state)) settled += 1;
      if (settled === times) break;
    }
    return events;
  }

  async function run(request: RequestInput): Promise<{ operation: OperationDetail; events: Event[] }> {
    const { id } = await create(request);
    const events = await follow(id);
    return { operation: await get(id), events };
  }

  async function close(): Promise<void> {
    for (const service of started.toReversed()) await service.stop();
    await rehearsal.close();
    await redis.stop();
    rmSync(home, { recursive: true, force: true });
  }

  return {
    ...{ url, token, home, redis, rehearsal, api, worker: workers[0] as ServiceProcess, workers },
    ...{ startApi, startWorker, call, create, get, watch, follow, run, close },
  };
}

/** Sandboxes of the process backend keep compiled code in their folder, which is new for each platform. */
function shareCompileCache(home: string): void {
  const cache = process.env.NODE_COMPILE_CACHE;
  if (cache === undefined) return;
  mkdirSync(join(home, 'sandboxes'), { mode: 0o700 });
  symlinkSync(cache, join(home, 'sandboxes', 'compile-cache'));
}
