import { ensureProgram, ProgramError, type SystemProgram } from '@fettle/system-packages';
import { installAdvice, RedisError } from './redis-error.ts';

const redisServer: SystemProgram = {
  name: 'redis-server',
  folder: 'redis',
  packages: ['redis-server', 'redis-tools'],
  path: 'usr/bin/redis-server',
  proof: ['--version'],
  advice: installAdvice,
};

/** Returns the path of this machine's redis-server. Downloads it first if there is none. */
export async function ensureRedis(home: string): Promise<string> {
  try {
    return await ensureProgram(home, redisServer);
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error;
    const code = error.code === 'program_missing' ? 'redis_missing' : 'redis_fetch_failed';
    throw new RedisError(code, error.message, { advice: error.advice, log: error.log });
  }
}
