/** An entry point of its own: starting the server needs no client and no queue, which take 250 ms to load. */
export { RedisError } from './redis-error.ts';
export { startRedis } from './start-redis.ts';
