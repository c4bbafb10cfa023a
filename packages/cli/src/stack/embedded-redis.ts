import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { RedisError, startRedis } from '@fettle/queue/redis';
import { CliError, exitCodes } from '../cli-error.ts';
import type { Config } from '../config.ts';
import type { KeepOptions, Running } from './keep-running.ts';

export interface EmbeddedRedisOptions {
  /** The FETTLE_HOME that contains a fetched redis-server, or will contain it. */
  toolsHome: string;
  folder: string;
  onUrl(url: string): void;
}

/** Starts Redis, always on the same socket, so that its clients reconnect after a restart. */
export function redisStart({ toolsHome, folder, onUrl }: EmbeddedRedisOptions): KeepOptions['start'] {
  return async (): Promise<Running> => {
    try {
      const redis = await startRedis({ home: toolsHome, folder, fsync: 'everysec', onUrl });
      return { stop: redis.stop, exited: redis.exited.then(({ log }) => exited(log)) };
    } catch (error) {
      if (!(error instanceof RedisError)) throw error;
      throw redisError(error.message, error.advice);
    }
  };
}

/** Returns the FETTLE_HOME that already has a fetched redis-server, so that a second home does not fetch its own. */
export function findTools({ home, defaultHome }: Pick<Config, 'home' | 'defaultHome'>): string {
  return [home, defaultHome].find((folder) => existsSync(join(folder, 'tools', 'redis'))) ?? home;
}

function exited(log: string): CliError {
  const lines = log.trim().split('\n').slice(-6);
  return redisError(
    `redis-server exited\n${lines.map((line) => `  │ ${line}`).join('\n')}`,
    'Run the command again.',
  );
}

function redisError(message: string, advice: string): CliError {
  return new CliError('redis', message, { exitCode: exitCodes.unavailable, advice });
}
