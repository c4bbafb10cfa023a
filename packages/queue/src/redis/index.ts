/** The embedded server alone: starting it needs no client and no queue, which take a quarter of a second to load. */
export { RedisError } from './redis-error.ts';
export { type RunningRedis, startRedis } from './start-redis.ts';
