/** Waits until no other redis-server uses a data folder. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runProgram } from '@fettle/process';
import { readToolEnvironment } from '@fettle/system-packages';
import { RedisError } from './redis-error.ts';
import { graceMs } from './redis-process.ts';

/** A little longer than a server without its parent takes to be killed. */
const defaultTimeoutMs = graceMs + 3_000;

/**
 * Redis does not lock its data folder, and two servers that write one append-only file corrupt it. After a kill -9 of our
 * process, the server that it started may still be flushing.
 */
export async function waitForPreviousServer(folder: string, timeoutMs = defaultTimeoutMs): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const pid = await readPid(join(folder, 'redis.pid'));
    if (pid === undefined || !(await isRedis(pid))) return;
    if (Date.now() > deadline) {
      throw new RedisError('redis_start_failed', `Another redis-server (process ${pid}) uses ${folder}.`, {
        advice: 'Stop the Fettle server that it belongs to, or use another FETTLE_HOME.',
      });
    }
    await sleep(50);
  }
}

async function readPid(file: string): Promise<number | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return Number.parseInt(text, 10) || undefined;
}

/** After a reboot, the process id in the file may belong to another program. */
async function isRedis(pid: number): Promise<boolean> {
  return (await readCommand(pid)).includes('redis-server');
}

async function readCommand(pid: number): Promise<string> {
  if (process.platform === 'linux') return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  const argv = ['ps', '-p', String(pid), '-o', 'command='];
  return (await runProgram(argv, { environment: readToolEnvironment() })).stdout.toString();
}
