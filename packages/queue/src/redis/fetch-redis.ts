import { chmod, copyFile, cp, mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { openAptBox } from './apt-box.ts';
import { readToolEnvironment } from './environment-config.ts';
import { fetchedRedisFolder, findRedis } from './find-redis.ts';
import { collectLibraries, findMissingLibraries } from './linked-libraries.ts';
import { installAdvice, RedisError } from './redis-error.ts';

/**
 * Brings redis-server into `<home>/tools/redis` from the packages of this system, without root and without
 * touching the system. Everything happens in a folder beside, which is renamed at the end: whoever comes
 * second finds the first one's result, and a kill leaves nothing half done.
 */
async function fetchRedis(home: string): Promise<string> {
  const target = fetchedRedisFolder(resolve(home));
  const tools = join(target, '..');
  await mkdir(tools, { recursive: true, mode: 0o700 });
  const work = await mkdtemp(join(tools, 'fetching-redis-'));
  try {
    const unpacked = await unpackRedis(work);
    const finished = await layOut(unpacked, join(work, 'finished'));
    await execa(join(finished, 'bin', 'redis-server'), ['--version'], {
      env: readToolEnvironment(),
      extendEnv: false,
    });
    await moveIntoPlace(finished, target);
  } catch (error) {
    throw explain(error);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return join(target, 'bin', 'redis-server');
}

/** The redis-server of this machine, fetched first where there is none. */
export async function ensureRedis(home: string): Promise<string> {
  return (await findRedis(home)) ?? (await fetchRedis(home));
}

/** Unpacks the server and, level by level of its dependencies, the libraries that this machine lacks. */
async function unpackRedis(work: string): Promise<string> {
  const box = await openAptBox(join(work, 'apt'));
  const root = join(work, 'root');
  let packages = ['redis-server', 'redis-tools'];
  while (packages.length > 0) {
    await box.unpack(packages, root);
    const missing = await findMissingLibraries(root, join(root, 'usr/bin/redis-server'));
    if (missing.length === 0) return root;
    packages = await box.listMissingDependencies(packages);
  }
  const missing = await findMissingLibraries(root, join(root, 'usr/bin/redis-server'));
  throw new Error(`no package of this system brings ${missing.join(', ')}`);
}

/** Keeps the server and the libraries only: bin/redis-server is a launcher, so that a plain path is enough. */
async function layOut(unpacked: string, folder: string): Promise<string> {
  await mkdir(join(folder, 'bin'), { recursive: true });
  await mkdir(join(folder, 'lib'));
  await copyFile(await realpath(join(unpacked, 'usr/bin/redis-server')), join(folder, 'lib', 'redis-server'));
  for (const library of await collectLibraries(unpacked)) {
    await cp(library.file, join(folder, 'lib', library.name), { dereference: true });
  }
  const launcher = join(folder, 'bin', 'redis-server');
  await writeFile(launcher, launcherScript);
  await chmod(launcher, 0o755);
  return folder;
}

const launcherScript = `#!/bin/sh
lib=$(dirname "$0")/../lib
LD_LIBRARY_PATH=$lib\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} exec "$lib/redis-server" "$@"
`;

async function moveIntoPlace(finished: string, target: string): Promise<void> {
  try {
    await rename(finished, target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Another fetch was faster; its result is as good as this one.
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
  }
}

function explain(error: unknown): unknown {
  if (error instanceof RedisError || !(error instanceof Error)) return error;
  const message = `redis-server could not be fetched: ${error.message}`;
  return new RedisError('redis_fetch_failed', message, { advice: installAdvice });
}
