/** Random faults over many short operations, then a quiet time, then a check of everything. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectRedis, listUnstored, openCodeQueue, type Redis } from '@fettle/queue';
import { findProcesses } from '../../../infra/testing/find-processes.ts';
import { listOfBrokers } from '../../support/brokers.ts';
import { listSandboxFolders } from '../../support/sandbox-folders.ts';
import { type Checked, checkAll } from '../support/check-all.ts';
import { listJobs } from '../support/check-queue.ts';
import { readErrand } from '../support/errands.ts';
import { findErrandFaults } from './check-errands.ts';
import { type Fault, groundFaults, pickFault, type Scene, workFaults } from './fault-table.ts';
import { countHandles, findHandleFaults, type Handles } from './handles.ts';
import { createPerson, type Person } from './person.ts';
import { createRandom } from './random.ts';
import { type Stage, type StageOptions, startStage } from './stage.ts';

export interface SoakOptions
  extends Pick<StageOptions, 'toolsHome' | 'surroundings' | 'embedded' | 'sandbox'> {
  seed: number;
  seconds: number;
  operations: number;
  /** Work only, and nothing that goes wrong; all of it, however long that takes. */
  calm?: boolean;
  say(line: string): void;
  /** Ends it early, with nothing left behind. */
  signal?: AbortSignal;
  /** Given all logs when something is wrong. */
  onWrong?: (logs: string) => void;
}

export interface Soaked extends Checked {
  struck: Record<string, number>;
}

const earlyShare = 0.2;
const mostOpen = 12;
const settleLimitMs = 8 * 60_000;
/** Longer than the interval of the outbox: the last events may not be recorded yet. */
const quietMs = 5_000;

export async function runSoak({ onWrong, ...options }: SoakOptions): Promise<Soaked> {
  const stage = await startStage({ ...options, workers: 3, repositories: 3 });
  const redis = connectRedis(stage.redisUrl);
  try {
    const soaked = await Promise.race([soak(stage, redis, options), whenAborted(options.signal)]);
    if (soaked.faults.length > 0) onWrong?.(stage.logs());
    return soaked;
  } catch (error) {
    onWrong?.(stage.logs());
    throw error;
  } finally {
    redis.disconnect();
    await stage.close();
  }
}

async function whenAborted(signal: AbortSignal | undefined): Promise<never> {
  if (signal && !signal.aborted) await once(signal, 'abort');
  return signal ? Promise.reject(signal.reason) : new Promise(() => {});
}

async function soak(stage: Stage, redis: Redis, options: SoakOptions): Promise<Soaked> {
  const { seed, say } = options;
  const random = createRandom(seed);
  const person = createPerson(stage, random.fork());
  const queue = openCodeQueue(redis);
  const scene = (): Scene => ({ stage, person, queue, random: random.fork() });
  const over = new AbortController();
  const struck: Record<string, number> = {};
  const striking = Promise.all(
    (options.calm ? [] : [workFaults, groundFaults]).map((faults) =>
      strike(faults, scene(), { over: over.signal, say, struck }),
    ),
  );
  // Faults end after the requests do, unless one of them could not be set right again.
  let early: Handles | undefined;
  const onEarly = () => {
    // Where there are faults, workers are not the same from one moment to the next.
    if (options.calm) early = countHandles(stage);
  };
  await Promise.race([submitAll(scene(), { ...options, onEarly }), ...(options.calm ? [] : [striking])]);
  over.abort();
  await striking;
  for (const name of stage.clockNames()) stage.setClock(name, 0);
  say('no more faults; waiting for the rest');
  const late = await waitForRest(scene(), redis, say);
  const grown = early !== undefined ? findHandleFaults(early, countHandles(stage)) : [];
  await stage.stopServices();
  const checked = await look(stage, person);
  return { ...checked, faults: [...late, ...grown, ...person.faults, ...checked.faults], struck };
}

async function look(stage: Stage, person: Person): Promise<Checked> {
  const { home, redisUrl, databaseUrl } = stage;
  const place = databaseUrl === undefined ? { home, redisUrl } : { databaseUrl, redisUrl };
  const checked = await checkAll(place, {
    home,
    paidFor: ({ request }) => stage.paid.get(readErrand(request.description)?.tag ?? '') ?? 0,
  });
  const left = findProcesses(home).filter(({ command }) => !command.includes('redis-server'));
  return {
    ...checked,
    faults: [
      ...checked.faults,
      ...(await findErrandFaults(stage, person)),
      ...left.map(({ pid, command }) => `process ${pid} was left behind: ${command}`),
      ...(await listOfBrokers()).map((what) => `${what} was left behind`),
      ...listSandboxFolders(home).map((folder) => `the folder ${folder} was left behind`),
    ],
  };
}

interface StrikeOptions {
  over: AbortSignal;
  say(line: string): void;
  struck: Record<string, number>;
}

async function strike(faults: Fault[], scene: Scene, { over, say, struck }: StrikeOptions): Promise<void> {
  const startedAt = performance.now();
  while (!over.aborted) {
    const fault = pickFault(faults, scene.random);
    const what = await fault.strike(scene).catch((error: Error) => {
      throw new Error(`${fault.name}: ${error.message}`, { cause: error });
    });
    struck[fault.name] = (struck[fault.name] ?? 0) + 1;
    say(`${Math.round((performance.now() - startedAt) / 1000)} s  ${fault.name}: ${what}`);
    await sleep(scene.random.between(200, 3_000), undefined, { signal: over }).catch(() => {});
  }
}

interface SubmitOptions extends Pick<SoakOptions, 'seconds' | 'operations' | 'calm' | 'say'> {
  /** Called when the first part of the work has been asked for. */
  onEarly(): void;
}

/** Spreads the requests over the time. When the time is up, the rest is left out, unless the soak is calm. */
async function submitAll(
  { person, random }: Scene,
  { seconds, operations, calm, say, onEarly }: SubmitOptions,
): Promise<void> {
  const startedAt = performance.now();
  const secondsGone = () => (performance.now() - startedAt) / 1000;
  let asked = 0;
  let saidAt = 0;
  while ((calm || secondsGone() < seconds) && (asked < operations || person.open.size > 0)) {
    const due = Math.min(operations, Math.ceil((secondsGone() / (seconds * 0.9)) * operations));
    const burst = Math.min(random.between(1, 4), due - asked, mostOpen - person.open.size);
    if (burst > 0) {
      await Promise.all(Array.from({ length: burst }, (_, index) => person.ask(asked + index + 1)));
      const before = asked;
      asked += burst;
      if (before < operations * earlyShare && asked >= operations * earlyShare) onEarly();
    }
    const open = await person.look();
    if (secondsGone() - saidAt > 15) {
      saidAt = secondsGone();
      say(`${Math.round(saidAt)} s  ${asked} asked for, ${open.size} not settled ${describe(open)}`);
    }
    await sleep(500);
  }
}

/** Waits until every operation is settled and everything is delivered. Returns the rest if that takes too long. */
async function waitForRest({ person }: Scene, redis: Redis, say: SoakOptions['say']): Promise<string[]> {
  const deadline = performance.now() + settleLimitMs;
  let saidAt = performance.now();
  let quietSince = performance.now();
  for (;;) {
    const open = await person.look();
    const jobs = await listJobs(redis);
    const unstored = await listUnstored(redis);
    if (open.size + jobs.length + unstored.length > 0) quietSince = performance.now();
    if (performance.now() - quietSince > quietMs) return [];
    if (performance.now() > deadline)
      return [...open].map(([id, state]) => `${id}: is still ${state} long after the last fault`);
    if (performance.now() - saidAt > 15_000) {
      saidAt = performance.now();
      say(`${open.size} not settled ${describe(open)}, ${jobs.length} jobs`);
    }
    await sleep(1_000);
  }
}

function describe(open: Map<string, string>): string {
  const states = [...open.values()].toSorted();
  return states.length === 0 ? '' : `(${states.join(', ')})`;
}
