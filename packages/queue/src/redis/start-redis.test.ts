import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connectRedis } from '../connection.ts';
import { readHome } from './home-config.ts';
import { type RedisOptions, startRedis } from './start-redis.ts';
import { waitForPreviousServer } from './wait-for-previous-server.ts';

const isRoot = process.getuid?.() === 0;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'redis-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function start(options: Partial<RedisOptions> = {}) {
  return startRedis({ home: readHome(), folder, fsync: 'everysec', ...options });
}

async function run<T>(url: string, work: (redis: ReturnType<typeof connectRedis>) => Promise<T>): Promise<T> {
  const redis = connectRedis(url);
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

test('data survives a stop and a start', async () => {
  const first = await start();
  await run(first.url, (redis) => redis.set('key', 'value'));
  await first.stop();
  const second = await start();
  expect(await run(second.url, (redis) => redis.get('key'))).toBe('value');
  await second.stop();
  await second.stop();
  expect(await readdir(folder)).toEqual(['appendonlydir']);
});

test('the server listens on a private socket only and never evicts keys', async () => {
  const redis = await start({ fsync: 'always' });
  expect((await stat(join(folder, 'redis.sock'))).mode & 0o777).toBe(0o700);
  const config = await run(redis.url, (client) =>
    client.config('GET', 'port', 'save', 'appendfsync', 'appendonly', 'maxmemory-policy'),
  );
  expect(toObject(config as string[])).toEqual({
    port: '0',
    save: '',
    appendfsync: 'always',
    appendonly: 'yes',
    'maxmemory-policy': 'noeviction',
  });
  await redis.stop();
});

test('a start waits until a large append-only file is loaded', async () => {
  const first = await start();
  await run(first.url, (redis) =>
    redis.eval("for i = 1, 300000 do redis.call('SET', 'key' .. i, string.rep('x', 50)) end", 0),
  );
  await first.stop();
  const second = await start();
  expect(await run(second.url, (redis) => redis.dbsize())).toBe(300_000);
  await second.stop();
});

test('`exited` resolves when the server dies', async () => {
  const redis = await start();
  process.kill(redis.pid, 'SIGKILL');
  expect(await redis.exited).toMatchObject({ exitCode: undefined, signal: 'SIGKILL' });
  await redis.stop();
});

describe('a path that is too long for a socket', () => {
  test('is replaced by a short private folder', async () => {
    const long = join(folder, 'x'.repeat(120), "it's 100% long");
    const redis = await start({ folder: long });
    const socket = decodeURIComponent(redis.url.slice('unix://'.length));
    expect(socket.length).toBeLessThan(100);
    expect((await stat(join(socket, '..'))).mode & 0o777).toBe(0o700);
    expect(await run(redis.url, (client) => client.ping())).toBe('PONG');
    await redis.stop();
    await expect(stat(join(socket, '..'))).rejects.toThrow('ENOENT');
  });
});

describe('when its parent is killed with -9', () => {
  test('the server ends without losing data, and the next one waits for it', async () => {
    const held = await holdRedis();
    await run(held.url, (redis) => redis.set('key', 'value'));
    held.holder.kill('SIGKILL');
    const next = await start();
    await expect.poll(() => readCommand(held.pid)).toBe('');
    expect(await run(next.url, (redis) => redis.get('key'))).toBe('value');
    await next.stop();
  });

  test('the server is in its own process group, so Ctrl-C in the terminal does not reach it', async () => {
    const held = await holdRedis();
    expect(readGroup(held.pid)).not.toBe(readGroup(held.holder.pid ?? 0));
    held.holder.kill('SIGKILL');
    await start().then((redis) => redis.stop());
  });
});

describe('the error explains', () => {
  test('data of a newer Redis', async () => {
    await start().then((redis) => redis.stop());
    const base = join(folder, 'appendonlydir', 'appendonly.aof.1.base.rdb');
    const bytes = await readFile(base);
    bytes.write('REDIS9999', 'latin1');
    await writeFile(base, bytes);
    await expect(start()).rejects.toMatchObject({
      code: 'redis_start_failed',
      message: expect.stringContaining('written by a newer Redis'),
      log: expect.stringContaining('9999'),
    });
  });

  test('a folder that is not writable', async () => {
    // Root can write everywhere except in folders of the kernel.
    const readOnly = isRoot ? '/sys/kernel' : join(folder, 'read-only');
    if (!isRoot) await mkdir(readOnly);
    if (!isRoot) await chmod(readOnly, 0o500);
    await expect(start({ folder: readOnly })).rejects.toMatchObject({
      code: 'redis_start_failed',
      message: expect.stringContaining('not writable'),
    });
    await expect(start({ folder: join(readOnly, 'below') })).rejects.toMatchObject({
      message: expect.stringContaining('not writable'),
    });
  });

  test('a full disk', async ({ skip }) => {
    const full = join(folder, 'full');
    await mkdir(full);
    if (!tryMount(full)) skip('mounting a small file system is not permitted');
    try {
      await writeFile(join(full, 'filler'), Buffer.alloc(256 * 1024)).catch(() => {});
      await expect(start({ folder: full, socketFolder: folder })).rejects.toMatchObject({
        message: expect.stringContaining('the disk is full'),
      });
    } finally {
      execFileSync('umount', [full]);
    }
  });

  test('a folder that another server uses', async () => {
    const redis = await start();
    await expect(waitForPreviousServer(folder, 200)).rejects.toThrow(
      `Another redis-server (process ${redis.pid}) uses ${folder}.`,
    );
    await redis.stop();
  });
});

function toObject(pairs: string[]): Record<string, string> {
  return Object.fromEntries(pairs.flatMap((name, at) => (at % 2 === 0 ? [[name, pairs[at + 1] ?? '']] : [])));
}

async function holdRedis() {
  const program = join(import.meta.dirname, 'testing', 'hold-redis.ts');
  const holder = spawn(process.execPath, [program, readHome(), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(holder.stdout.setEncoding('utf8'), 'data');
  return { holder, ...(JSON.parse(line) as { url: string; pid: number }) };
}

/** Empty for a process that has ended, also for a zombie. */
function readCommand(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
}

function readGroup(pid: number): string {
  return execFileSync('ps', ['-o', 'pgid=', '-p', String(pid)], { encoding: 'utf8' }).trim();
}

function tryMount(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
