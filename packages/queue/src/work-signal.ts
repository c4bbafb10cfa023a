/** Tells workers at once that a person cancelled or paused. A lost message costs only time: the next heartbeat says it too. */
import type { Redis } from 'ioredis';

const channel = 'fettle:signals';

export type WorkSignal = 'cancel' | 'pause' | 'resume';

export async function sendWorkSignal(redis: Redis, operationId: string, signal: WorkSignal): Promise<void> {
  await redis.publish(channel, `${signal} ${operationId}`);
}

/** `redis` serves this subscription alone from now on. */
export async function onWorkSignal(
  redis: Redis,
  listener: (operationId: string, signal: WorkSignal) => void,
): Promise<void> {
  redis.on('message', (_channel, message: string) => {
    const [signal, operationId = ''] = message.split(' ');
    if (signal === 'cancel' || signal === 'pause' || signal === 'resume') listener(operationId, signal);
  });
  await redis.subscribe(channel);
}
