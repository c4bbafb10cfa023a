import { setImmediate } from 'node:timers/promises';

const maxBlockMs = 10;

/**
 * For long loops over synchronous calls: the returned function lets the event loop run every few milliseconds, so that
 * other requests are served. It reads the clock only on every `callsPerCheck`th call.
 */
export function createYield(callsPerCheck = 32): () => Promise<void> | undefined {
  let since = performance.now();
  let calls = 0;
  return () => {
    calls += 1;
    if (calls % callsPerCheck !== 0 || performance.now() - since < maxBlockMs) return undefined;
    return setImmediate().then(() => {
      since = performance.now();
    });
  };
}
