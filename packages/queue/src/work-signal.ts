/**
 * Notifies workers at once that a person cancelled, paused or sent a message. A lost signal only costs time, because the
 * next heartbeat carries the same information.
 */
import type { Redis } from 'ioredis';

const channel = 'fettle:signals';

const signals = ['cancel', 'pause', 'resume', 'message'] as const;
export type WorkSignal = (typeof signals)[number];

export async function sendWorkSignal(redis: Redis, operationId: string, signal: WorkSignal): Promise<void> {
  await redis.publish(channel, `${signal} ${operationId}`);
}

/** Needs a connection of its own: a subscribed connection takes no other commands. */
export async function onWorkSignal(
  redis: Redis,
  listener: (operationId: string, signal: WorkSignal) => void,
): Promise<void> {
  redis.on('message', (_channel, message: string) => {
    const [name, operationId = ''] = message.split(' ');
    const signal = signals.find((each) => each === name);
    if (signal) listener(operationId, signal);
  });
  await redis.subscribe(channel);
}
