import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { RedisError, startRedis } from '@fettle/queue/redis';
import { CliError, exitCodes } from '../cli-error.ts';
import type { Config } from '../config.ts';
import type { KeepOptions, Running } from './keep-running.ts';

export interface EmbeddedRedisOptions {
  /** The FETTLE_HOME in which a fetched redis-server is found, or put. */
  toolsHome: string;
  folder: string;
  onUrl(url: string): void;
}

/** How to start a Redis of our own: always on the same socket, so that a restart is a short silence for its clients. */
export function redisStart({ toolsHome, folder, onUrl }: EmbeddedRedisOptions): KeepOptions['start'] {
  return async (): Promise<Running> => {
    try {
      const redis = await startRedis({ home: toolsHome, folder, fsync: 'everysec', onUrl });
      return { stop: redis.stop, exited: redis.exited.then(({ log }) => ended(log)) };
    } catch (error) {
      if (!(error instanceof RedisError)) throw error;
      throw redisError(error.message, error.advice);
    }
  };
}

/** The FETTLE_HOME with a fetched redis-server in it, so that a second home does not fetch its own. */
export function findTools({ home, defaultHome }: Pick<Config, 'home' | 'defaultHome'>): string {
  return [home, defaultHome].find((folder) => existsSync(join(folder, 'tools', 'redis'))) ?? home;
}

function ended(log: string): CliError {
  const lines = log.trim().split('\n').slice(-6);
  return redisError(
    `redis-server ended\n${lines.map((line) => `  │ ${line}`).join('\n')}`,
    'Start it again.',
  );
}

function redisError(message: string, advice: string): CliError {
  return new CliError('redis', message, { exitCode: exitCodes.unavailable, advice });
}
