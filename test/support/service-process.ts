/** One of Fettle's services as a child process of a test. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

const root = resolve(import.meta.dirname, '../..');
const preload = join(root, 'test/faults/support/preload.mjs');
/** Optimising PGlite's WebAssembly does not pay off in the short life of a test. Benchmarks do it. */
const flags = process.env.FETTLE_TEST_RUN === undefined ? [] : ['--liftoff-only'];

export type Environment = Record<string, string | undefined>;
export type ServiceProcess = Awaited<ReturnType<typeof startService>>;

/** Resolves when the service has printed its first line. Keeps its log, unless `logTo` is a file descriptor. */
export async function startService(main: string, environment: Environment, logTo: number | 'pipe' = 'pipe') {
  const child = spawn(process.execPath, [...flags, '--import', preload, join(root, main)], {
    env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...environment },
    stdio: ['ignore', 'pipe', logTo],
  });
  let log = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-50_000);
  });
  const exited = once(child, 'exit').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as string | null,
  }));
  const line = await Promise.race([once(createInterface(child.stdout as Readable), 'line'), exited]);
  const [text] = Array.isArray(line) ? line : [];
  if (typeof text !== 'string') throw new Error(`${main} did not start:\n${log}`);
  return {
    ready: JSON.parse(text) as Record<string, unknown>,
    pid: child.pid as number,
    log: () => log,
    exited,
    kill: async (signal: NodeJS.Signals = 'SIGKILL') => {
      child.kill(signal);
      return exited;
    },
    async stop() {
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await exited;
      clearTimeout(late);
    },
  };
}
