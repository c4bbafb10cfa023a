/** All faults, each as a small function that also ends the fault. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CodeQueue } from '@fettle/queue';
import type { Person } from './person.ts';
import type { Random } from './random.ts';
import type { Stage } from './stage.ts';

export interface Scene {
  stage: Stage;
  person: Person;
  queue: CodeQueue;
  random: Random;
}

export interface Fault {
  name: string;
  /** How often it comes, compared with the others of its kind. */
  weight: number;
  /** Says what was done to what. */
  strike(scene: Scene): Promise<string>;
}

const minute = 60_000;
const wrongClocks = [-300, -90, -20, -2, 0, 0, 2, 20, 90, 300].map((minutes) => minutes * minute);

/** Mostly short, sometimes longer than the first time limits. */
const pickAbsence = (random: Random) =>
  random.chance(0.08) ? random.between(31_000, 45_000) : random.between(0, 6_000);

const workerCrashes = [
  ...['claimed', 'answered', 'answer-recorded', 'tool-ran', 'part-finished', 'checkpointed', 'verified'],
  ...['committed', 'scanning', 'scanned', 'commit-recorded', 'before-push', 'after-push'],
  ...['before-pull-request', 'after-pull-request', 'before-settle', 'after-settle'],
];
const apiCrashes = [
  ...['claimed', 'created', 'transition', 'pull-request-stored', 'outbox-delivered', 'events-stored'],
  ...['released', 'settled', 'record-sealed', 'parts-interrupted'],
];

/** Faults of workers and operations. */
export const workFaults: Fault[] = [
  {
    name: 'kill a worker',
    weight: 4,
    async strike({ stage, random }) {
      const name = random.pick([...stage.workers.keys()]);
      await stage.replaceWorker(name, 'SIGKILL');
      return name;
    },
  },
  {
    name: 'stop a worker',
    weight: 2,
    async strike({ stage, random }) {
      const name = random.pick([...stage.workers.keys()]);
      const since = performance.now();
      await stage.replaceWorker(name, 'SIGTERM');
      return `${name}, gone and replaced after ${seconds(performance.now() - since)}`;
    },
  },
  {
    name: 'freeze a worker beyond its lease',
    weight: 2,
    async strike({ stage, random }) {
      const [name, worker] = random.pick([...stage.workers]);
      const ms = stage.leaseSeconds * 1000 + random.between(500, 5_000);
      process.kill(worker.pid, 'SIGSTOP');
      await sleep(ms);
      process.kill(worker.pid, 'SIGCONT');
      return `${name} for ${seconds(ms)}`;
    },
  },
  {
    name: 'a worker that dies at a crash point',
    weight: 3,
    async strike({ stage, random }) {
      const point = random.pick(workerCrashes);
      const worker = await stage.startWorker('doomed', { FETTLE_TEST_CRASH: point, FETTLE_CONCURRENCY: '2' });
      const end = await Promise.race([worker.exited, sleep(8_000, undefined, { ref: false })]);
      if (!end) await worker.kill();
      return end ? point : `${point}, which it did not come to`;
    },
  },
  {
    name: 'deliver a job twice',
    weight: 3,
    async strike({ person, queue, random }) {
      const known = random.chance(0.7) && person.open.size > 0 ? [...person.open] : ids(person);
      if (known.length === 0) return 'nothing to deliver';
      const operationId = random.pick(known);
      const attempt = random.between(1_000, 1_000_000);
      const adding = queue.add({ operationId, attempt, priority: 'high', notBefore: null });
      await Promise.race([adding, sleep(5_000, undefined, { ref: false })]);
      return operationId;
    },
  },
  {
    name: 'cancel',
    weight: 3,
    async strike({ person, random }) {
      if (person.open.size === 0) return 'nothing to cancel';
      const id = random.pick([...person.open]);
      return `${id}: ${await person.act(id, 'cancel')}`;
    },
  },
  {
    name: 'pause and resume',
    weight: 2,
    async strike({ person, random }) {
      if (person.open.size === 0) return 'nothing to pause';
      const id = random.pick([...person.open]);
      const paused = await person.act(id, 'pause');
      await sleep(random.between(0, 4_000));
      return `${id}: ${paused}, ${await person.act(id, 'resume')}`;
    },
  },
];

/** Faults of the services that workers need. */
export const groundFaults: Fault[] = [
  {
    name: 'kill the api',
    weight: 3,
    async strike({ stage, random }) {
      const signal = random.pick(['SIGKILL', 'SIGKILL', 'SIGTERM'] as const);
      const ms = random.between(0, 4_000);
      await stage.replaceApi(signal, ms);
      return `${signal}, away for ${seconds(ms)}`;
    },
  },
  {
    name: 'an api that dies at a crash point',
    weight: 2,
    async strike({ stage, random }) {
      const point = random.pick(apiCrashes);
      await stage.replaceApi('SIGKILL', 0, { FETTLE_TEST_CRASH: point });
      await Promise.race([stage.apiEnded(), sleep(8_000, undefined, { ref: false })]);
      await stage.replaceApi('SIGKILL', random.between(0, 2_000));
      return point;
    },
  },
  {
    name: 'Redis away',
    weight: 3,
    async strike({ stage, random }) {
      const signal = random.pick(['SIGKILL', 'SIGTERM'] as const);
      const ms = pickAbsence(random);
      await stage.replaceRedis(signal, ms);
      return `${signal}, away for ${seconds(ms)}`;
    },
  },
  {
    name: 'Postgres away',
    weight: 3,
    async strike({ stage, random }) {
      const ms = pickAbsence(random);
      if (!stage.postgres) {
        await stage.replaceApi('SIGKILL', ms);
        return `there is no server: the api with its database, for ${seconds(ms)}`;
      }
      const signal = random.pick(['SIGINT', 'SIGQUIT'] as const);
      await stage.postgres.halt(signal);
      await sleep(ms);
      await stage.postgres.start();
      return `${signal}, away for ${seconds(ms)}`;
    },
  },
  {
    name: 'cut the network to the model',
    weight: 3,
    async strike({ stage, random }) {
      const ms = random.between(0, 8_000);
      stage.relay.cut();
      await sleep(ms);
      stage.relay.mend();
      return `for ${seconds(ms)}`;
    },
  },
  {
    name: 'shift a clock',
    weight: 3,
    async strike({ stage, random }) {
      const name = random.pick(stage.clockNames());
      const wrongByMs = random.pick(wrongClocks);
      stage.setClock(name, wrongByMs);
      return `${name} is wrong by ${wrongByMs / minute} minutes`;
    },
  },
];

export function pickFault(faults: Fault[], random: Random): Fault {
  return random.pick(faults.flatMap((fault) => Array.from({ length: fault.weight }, () => fault)));
}

const ids = ({ asked }: Person) => asked.map(({ id }) => id);
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
