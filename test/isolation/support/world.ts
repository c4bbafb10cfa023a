// The trusted side, with something planted in every place that a sandbox must not reach: secrets in environments,
// arguments, files, open handles and memory; servers that note who came.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Doors, openDoors } from './doors.ts';

export interface World {
  /** Where the backends keep their things. */
  sandboxes: string;
  /** What every planted secret contains. */
  needle: string;
  /** What attempts know: where to look, never what is there. */
  facts: Record<string, string>;
  doors: Doors;
  /** A process that stands for the worker. */
  worker: ChildProcess;
  /** A planted file that only its owner may read. */
  secretFile: string;
  remove(): Promise<void>;
}

const SECRET_NAMES = ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GITHUB_TOKEN', 'DATABASE_URL', 'REDIS_URL'];
/** Keeps a secret in its memory, a file open and a folder as its own, until its input ends. */
const WORKER =
  "const held = require('node:fs').openSync(process.env.SECRET_FILE); const copy = process.env.GITHUB_TOKEN + '!';" +
  "process.stdin.on('end', () => process.exit(copy && held ? 0 : 1)).resume(); console.log('ready');";

export async function plantWorld(): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'iso-'));
  openToAll(folder);
  const needle = `canary-${randomBytes(12).toString('hex')}`;
  const sandboxes = join(folder, 'sandboxes');
  const home = join(folder, 'home');
  mkdirSync(home, { mode: 0o700 });
  mkdirSync(sandboxes, { mode: 0o700 });
  const secretFile = join(home, 'credentials');
  const openFile = join(folder, 'readable-by-all');
  writeFileSync(secretFile, `token=${needle}-in-file\n`, { mode: 0o600 });
  writeFileSync(openFile, `token=${needle}-in-open-file\n`, { mode: 0o644 });

  const planted = Object.fromEntries(SECRET_NAMES.map((name) => [name, `${needle}-${name}`]));
  const before = Object.fromEntries(SECRET_NAMES.map((name) => [name, process.env[name]]));
  Object.assign(process.env, planted);
  const worker = await startWorker({ needle, home, environment: { ...planted, SECRET_FILE: secretFile } });
  const doors = await openDoors(folder);

  return {
    ...{ sandboxes, needle, doors, worker, secretFile },
    facts: {
      needle: [...needle].reverse().join(''),
      pids: String(worker.pid),
      files: [secretFile, openFile].join(','),
      folder,
      since: String(Date.now() - 1000),
      addresses: listOwnAddresses().join(','),
      ...doors.facts,
    },
    async remove() {
      for (const [name, value] of Object.entries(before)) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
      await doors.close();
      const exited = once(worker, 'exit');
      worker.stdin?.end();
      if (worker.exitCode === null && worker.signalCode === null) await exited;
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

interface WorkerOptions {
  needle: string;
  home: string;
  environment: Record<string, string>;
}

async function startWorker({ needle, home, environment }: WorkerOptions): Promise<ChildProcess> {
  const worker = spawn(process.execPath, ['-e', WORKER, '--', `--token=${needle}-in-argv`], {
    cwd: home,
    env: { ...process.env, ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(worker.stdout as NonNullable<typeof worker.stdout>, 'data');
  return worker;
}

/** Only a folder that the test run made for itself; what lies in it is then reachable for every user. */
function openToAll(folder: string): void {
  chmodSync(folder, 0o755);
  if (basename(tmpdir()) === process.env.FETTLE_TEST_RUN) chmodSync(tmpdir(), 0o711);
}

/** The machine's own, but those that need a scope to be named. */
function listOwnAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return all.filter(({ internal, scopeid }) => !internal && !scopeid).map(({ address }) => address);
}
