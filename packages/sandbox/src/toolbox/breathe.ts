import { setImmediate } from 'node:timers/promises';

const LONGEST_MS = 10;

/** For long loops over synchronous calls: lets other requests be served every few milliseconds. */
export function breathe(): () => Promise<void> | undefined {
  let since = performance.now();
  let calls = 0;
  return () => {
    calls += 1;
    if (calls % 32 !== 0 || performance.now() - since < LONGEST_MS) return undefined;
    return setImmediate().then(() => {
      since = performance.now();
    });
  };
}
