import { SandboxError } from '@fettle/sandbox';

export type Ask = <T>(call: (timeoutMs: number) => Promise<T>) => Promise<T>;

/**
 * For an errand of many calls to one sandbox: all together have so much time. A toolbox that was taken over may answer each
 * of them in time, and just so, and nobody could work with it for days.
 */
export function createPatience(patienceMs: number, errand: string): Ask {
  let leftMs = patienceMs;
  return async (call) => {
    if (leftMs <= 0) throw new SandboxError('ended', `the toolbox takes too long to ${errand}`);
    const started = performance.now();
    try {
      return await call(Math.ceil(leftMs));
    } finally {
      leftMs -= performance.now() - started;
    }
  };
}
