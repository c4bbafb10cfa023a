/** The set-up step that downloads redis-server: `node packages/queue/src/redis/fetch-main.ts`. */
import { ensureRedis } from './fetch-redis.ts';
import { readHome } from './home-config.ts';
import { RedisError } from './redis-error.ts';

try {
  process.stdout.write(`${await ensureRedis(readHome())}\n`);
} catch (error) {
  if (!(error instanceof RedisError)) throw error;
  process.stderr.write(`${error.message}\n${error.advice}\n`);
  process.exitCode = 1;
}
