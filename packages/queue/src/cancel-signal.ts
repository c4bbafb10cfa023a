/** Tells workers at once that an operation was cancelled. A lost message costs only time: the next heartbeat says it too. */
import type { Redis } from 'ioredis';

const channel = 'fettle:cancelled';

export async function announceCancel(redis: Redis, operationId: string): Promise<void> {
  await redis.publish(channel, operationId);
}

/** `redis` serves this subscription alone from now on. */
export async function onCancel(redis: Redis, listener: (operationId: string) => void): Promise<void> {
  redis.on('message', (_channel, operationId) => listener(operationId));
  await redis.subscribe(channel);
}
