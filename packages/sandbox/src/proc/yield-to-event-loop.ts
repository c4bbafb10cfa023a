import { setImmediate } from 'node:timers/promises';

const maxBlockMs = 10;

/** For long loops over synchronous calls: lets other requests be served every few milliseconds. Short calls need no clock each. */
export function breathe(callsPerLook = 32): () => Promise<void> | undefined {
  let since = performance.now();
  let calls = 0;
  return () => {
    calls += 1;
    if (calls % callsPerLook !== 0 || performance.now() - since < maxBlockMs) return undefined;
    return setImmediate().then(() => {
      since = performance.now();
    });
  };
}
