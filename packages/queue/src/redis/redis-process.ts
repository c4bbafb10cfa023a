import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import { readToolEnvironment } from '@fettle/system-packages';
import type { RedisExit } from './start-redis.ts';

const stopTimeoutMs = 10_000;
const maxLogChars = 8_000;

// The shell becomes redis-server (so that the child's id and end are the server's own) and leaves behind a
// watcher of half a megabyte that reads a pipe held by this process. The pipe's end without a line means
// that this process is gone, by kill -9 too: the watcher then ends the server. A line means that the server
// ended first and its id may be somebody else's by now.
const launch = `
(
  read -r line <&3 && exit
  kill -TERM $$
  for _ in 1 2 3 4 5 6 7 8 9 10; do sleep 0.5; kill -0 $$ || exit; done
  kill -KILL $$
) >/dev/null 2>&1 &
exec "$0" "$@" 3<&-
`;

export interface SupervisedRedis {
  pid: number;
  exited: Promise<RedisExit>;
  stop(): Promise<void>;
}

export function superviseRedis(program: string, settings: string[]): SupervisedRedis {
  const child = spawn('/bin/sh', ['-c', launch, program, ...settings], {
    env: readToolEnvironment(),
    // A session of its own: Ctrl-C in the terminal reaches our process, which then stops the server itself.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const lifeline = child.stdio[3] as Writable;
  // The watcher may be gone first, when somebody ends the whole group.
  lifeline.on('error', () => {});

  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-maxLogChars);
    });
  }
  const exited = new Promise<RedisExit>((resolve, reject) => {
    child.on('error', reject);
    // 'close' comes when all pipes are closed, the lifeline among them, and with it the last of the log.
    child.on('exit', () => lifeline.end('ended\n'));
    child.on('close', (code, signal) => resolve({ code, signal, log }));
  });
  const stop = async () => {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
    await exited;
    clearTimeout(timer);
  };
  return { pid: child.pid ?? 0, exited, stop };
}
