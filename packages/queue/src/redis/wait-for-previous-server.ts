import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { RedisError } from './redis-error.ts';

// A little longer than the watcher of superviseRedis takes to kill.
const defaultPatienceMs = 8_000;

/**
 * Redis does not lock its data folder, and two servers on one append-only file ruin it. After a kill -9 of
 * our process the former server may still be writing its last lines: wait for its end.
 */
export async function waitForPreviousOwner(folder: string, patienceMs = defaultPatienceMs): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const pid = await readPid(join(folder, 'redis.pid'));
    if (pid === undefined || !(await isRedis(pid))) return;
    if (Date.now() > deadline) {
      throw new RedisError('redis_start_failed', `Another redis-server (process ${pid}) uses ${folder}.`, {
        advice: 'Stop the Fettle that it belongs to, or use another FETTLE_HOME.',
      });
    }
    await sleep(50);
  }
}

async function readPid(file: string): Promise<number | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return Number.parseInt(text, 10) || undefined;
}

/** The id alone proves nothing: after a restart of the machine it may belong to any process. */
async function isRedis(pid: number): Promise<boolean> {
  return (await readCommand(pid)).includes('redis-server');
}

async function readCommand(pid: number): Promise<string> {
  if (process.platform === 'linux') return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  const { stdout } = await promisify(execFile)('ps', ['-p', String(pid), '-o', 'command=']).catch(() => ({
    stdout: '',
  }));
  return stdout;
}
