/** The redis-server process: a child that ends with this process, and the last lines of its output. */
import { startProgram } from '@fettle/process';
import { readToolEnvironment } from '@fettle/system-packages';

/** How long the server may take to end after SIGTERM, before SIGKILL. It flushes the append-only file meanwhile. */
export const graceMs = 10_000;
const maxLogChars = 8_000;

export interface RedisExit {
  exitCode: number | undefined;
  signal: NodeJS.Signals | undefined;
  /** The last lines that the server printed. */
  log: string;
}

export interface RedisProcess {
  pid: number;
  exited: Promise<RedisExit>;
  stop(): Promise<void>;
}

export function startRedisProcess(program: string, settings: string[]): RedisProcess {
  const child = startProgram([program, ...settings], {
    environment: readToolEnvironment(),
    endsWithParent: true,
    graceMs,
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-maxLogChars);
    });
  }
  return {
    pid: child.pid ?? 0,
    exited: child.exited.then(({ exitCode, signal, error }) => ({
      ...{ exitCode, signal },
      log: error ? `${log}${error.message}` : log,
    })),
    stop: async () => {
      await child.stop();
    },
  };
}
