export type { Redis } from 'ioredis';
export { type CodeQueue, openCodeQueue } from './code-queue.ts';
export { assertRedisAnswers, assertRedisWrites, connectRedis, keepsWrites } from './connection.ts';
export { consumeCodeQueue } from './consume-code-queue.ts';
export {
  admitStreams,
  appendEvents,
  awaitNewEvents,
  claimKey,
  closeStream,
  FencedError,
  fenceOff,
  letOnAgain,
  listUnstored,
  markStored,
  NotAdmittedError,
  openStream,
  putStreamAside,
  readEvents,
  StreamNotOpenError,
  sealStream,
} from './event-stream.ts';
export { deliverOutboxEntry, type OutboxEntry, type RelayOptions } from './outbox-relay.ts';
export { whenWritable } from './retry-while-unwritable.ts';
export { onWorkSignal, sendWorkSignal, type WorkSignal } from './work-signal.ts';
