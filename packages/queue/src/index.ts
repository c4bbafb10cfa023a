export type { Redis } from 'ioredis';
export { announceCancel, onCancel } from './cancel-signal.ts';
export { type CodeQueue, consumeCodeQueue, openCodeQueue } from './code-queue.ts';
export { assertRedisAnswers, connectRedis } from './connection.ts';
export {
  appendEvent,
  awaitNewEvents,
  FencedError,
  listUnstored,
  markStored,
  readEvents,
} from './event-stream.ts';
export { deliverOutboxEntry, type OutboxEntry } from './outbox-relay.ts';
