import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { readToolEnvironment } from './environment-config.ts';

/** Where fetchRedis puts the server: a launcher that adds its own libraries, so that it needs no set-up. */
export function fetchedRedisFolder(home: string): string {
  return join(home, 'tools', 'redis');
}

/** The redis-server to use: the machine's own, else the fetched one. */
export async function findRedis(home: string): Promise<string | undefined> {
  const searchPath = (readToolEnvironment().PATH ?? '').split(delimiter).filter(Boolean);
  for (const folder of [...searchPath, join(fetchedRedisFolder(home), 'bin')]) {
    const file = join(folder, 'redis-server');
    if (await isExecutable(file)) return file;
  }
  return undefined;
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
