export type { Redis } from 'ioredis';
export { type CodeQueue, openCodeQueue } from './code-queue.ts';
export { assertRedisAnswers, assertRedisWrites, connectRedis, keepsWrites } from './connection.ts';
export { consumeCodeQueue } from './consume-code-queue.ts';
export {
  appendEvents,
  awaitNewEvents,
  claimKey,
  closeStream,
  FencedError,
  fenceOff,
  listUnstored,
  markStored,
  openStream,
  quarantineStream,
  readEvents,
  resyncStreams,
  StreamNotOpenError,
  sealStream,
  undoFenceOff,
} from './event-stream.ts';
export { consumeForgeEvents, type ForgeEventQueue, openForgeEventQueue } from './forge-event-queue.ts';
export { retryWhileUnwritable } from './retry-while-unwritable.ts';
export { onWorkSignal, sendWorkSignal } from './work-signal.ts';
