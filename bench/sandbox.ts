/** The cost of a sandbox, compared with plain processes. */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withTreePack } from '@fettle/git';
import { type Backend, type BackendName, openBackend, type Sandbox } from '@fettle/sandbox';
import { brokerFor, engine, stopBrokers } from '../test/support/brokers.ts';
import { median } from './statistics.ts';

const runFile = promisify(execFile);
const starts = 9;
const times = 300;
const files = 5_000;
const fileBytes = 10_000;
const trees = 3;

interface Source {
  mirror: string;
  commit: string;
}

export interface SandboxFigures {
  readyMs: number;
  echoMs: number;
  commandMs: number;
  handInMs: number;
  handOutMs: number;
  findOutMs: number;
}

/** Undefined if this machine cannot run it. */
export async function measureSandbox(name: BackendName): Promise<SandboxFigures | undefined> {
  if (name === 'docker' && engine === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'bench-sandbox-'));
  try {
    const broker = name === 'docker' ? await brokerFor(undefined) : undefined;
    const searchPath = process.env.PATH ?? '';
    const backend = await openBackend(name, { folder, searchPath, broker });
    return await measure(backend, makeSource(join(folder, 'source.git')));
  } catch (error) {
    console.log(`no sandbox of kind ${name} to measure: ${(error as Error).message}`);
    return undefined;
  } finally {
    await stopBrokers();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(backend: Backend, source: Source): Promise<SandboxFigures> {
  const ready = await repeat(starts, async () => {
    const startedAt = performance.now();
    const sandbox = await backend.start();
    const took = performance.now() - startedAt;
    await sandbox.close();
    return took;
  });
  const handInMs = await measureHandIn(backend, source);
  const sandbox = await backend.start();
  try {
    await handIn(sandbox, source);
    await sandbox.adoptChanges();
    const handOutChange = (where: { paths?: string[] }) =>
      repeat(times / 6, async (n) => {
        await sandbox.writeFile('d0/f0.txt', Buffer.from(`changed ${n}`));
        return timed(async () => {
          const { changes } = await sandbox.changes(where);
          if (changes.length !== 1) throw new Error('the change was not returned');
        });
      });
    const handOut = await handOutChange({ paths: ['d0/f0.txt'] });
    const findOut = await handOutChange({});
    const echo = await repeat(times, () => timed(() => sandbox.statFile('d0/f0.txt')));
    const command = await repeat(times, () => timed(() => sandbox.run({ argv: ['true'] })));
    return {
      readyMs: median(ready),
      echoMs: median(echo),
      commandMs: median(command),
      handInMs,
      handOutMs: median(handOut),
      findOutMs: median(findOut),
    };
  } finally {
    await sandbox.close();
  }
}

/** Closes all sandboxes at the end: removing so many files slows down later writes. */
async function measureHandIn(backend: Backend, source: Source): Promise<number> {
  const sandboxes: Sandbox[] = [];
  try {
    const samples = await repeat(trees, async () => {
      const sandbox = await backend.start();
      sandboxes.push(sandbox);
      return timed(() => handIn(sandbox, source));
    });
    return median(samples);
  } finally {
    await Promise.all(sandboxes.map((sandbox) => sandbox.close()));
  }
}

/** The same with git alone: a clone, and finding one change in it. */
export async function measurePlainGit(): Promise<{ cloneMs: number; statusMs: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-clone-'));
  try {
    const { mirror } = makeSource(join(folder, 'source.git'));
    const clone = (n: number) =>
      runFile('git', ['clone', '--quiet', '--depth=1', `file://${mirror}`, join(folder, `clone-${n}`)]);
    const cloneMs = median(await repeat(trees, (n) => timed(() => clone(n))));
    const workTree = join(folder, 'clone-0');
    const statuses = await repeat(times / 6, async (n) => {
      writeFileSync(join(workTree, 'd0/f0.txt'), `changed ${n}`);
      return timed(() => runFile('git', ['-C', workTree, 'status', '--porcelain']));
    });
    return { cloneMs, statusMs: median(statuses) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function handIn(sandbox: Sandbox, { mirror, commit }: Source): Promise<void> {
  await withTreePack(mirror, commit, {}, (pack) =>
    sandbox.receiveTree({ pack, commit, branch: 'main', baseIgnores: [] }),
  );
}

/** 50 MB in 5,000 files that compress badly. */
function makeSource(mirror: string): Source {
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', mirror]);
  const lines = [
    'commit refs/heads/main',
    'committer Bench <bench@localhost> 1700000000 +0000',
    'data 4',
    'base',
  ];
  for (let n = 0; n < files; n++) {
    const content = Array.from(
      { length: fileBytes / 20 },
      (_, line) => `${(n * 7919 + line * 104_729) % 1e9} line\n`,
    )
      .join('')
      .padEnd(fileBytes, 'x')
      .slice(0, fileBytes);
    lines.push(`M 100644 inline d${n % 100}/f${n}.txt`, `data ${fileBytes}`, content);
  }
  execFileSync('git', ['-C', mirror, 'fast-import', '--quiet'], { input: `${lines.join('\n')}\n` });
  const commit = execFileSync('git', ['-C', mirror, 'rev-parse', 'main'], { encoding: 'utf8' }).trim();
  return { mirror, commit };
}

/** The docker command alone: a new container, and a command in a running one. */
export async function measurePlainDocker(image: string): Promise<{ runMs: number; execMs: number }> {
  const docker = (...args: string[]) =>
    runFile('docker', args, { env: { ...process.env, DOCKER_HOST: engine } });
  const plain = ['--network', 'none', '--entrypoint', 'sleep', image];
  const { stdout } = await docker('run', '--detach', ...plain, '600');
  const id = stdout.trim();
  try {
    const exec = await repeat(15, () => timed(() => docker('exec', id, 'true')));
    const run = await repeat(7, () => timed(() => docker('run', '--rm', ...plain, '0')));
    return { runMs: median(run), execMs: median(exec) };
  } finally {
    await docker('rm', '--force', id);
  }
}

/** The same command as a child of this process, without any sandbox. */
export async function measurePlainSpawn(): Promise<number> {
  return median(await repeat(times, () => timed(() => once(spawn('true'), 'exit'))));
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function repeat(count: number, sample: (n: number) => Promise<number>): Promise<number[]> {
  const samples: number[] = [];
  for (let n = 0; n < count; n++) samples.push(await sample(n));
  return samples;
}
