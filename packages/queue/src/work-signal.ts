/** Tells workers at once that a person cancelled, paused or said something. A lost message costs only time: the next heartbeat says it too. */
import type { Redis } from 'ioredis';

const channel = 'fettle:signals';

const signals = ['cancel', 'pause', 'resume', 'message'] as const;
export type WorkSignal = (typeof signals)[number];

export async function sendWorkSignal(redis: Redis, operationId: string, signal: WorkSignal): Promise<void> {
  await redis.publish(channel, `${signal} ${operationId}`);
}

/** `redis` serves this subscription alone from now on. */
export async function onWorkSignal(
  redis: Redis,
  listener: (operationId: string, signal: WorkSignal) => void,
): Promise<void> {
  redis.on('message', (_channel, message: string) => {
    const [word, operationId = ''] = message.split(' ');
    const signal = signals.find((each) => each === word);
    if (signal) listener(operationId, signal);
  });
  await redis.subscribe(channel);
}
