import { SandboxError } from '@fettle/sandbox';

export type WithinDeadline = <T>(call: (timeoutMs: number) => Promise<T>) => Promise<T>;

/**
 * One deadline for many calls to a sandbox. A compromised toolbox could answer each call just before its own timeout,
 * and so keep the worker busy for days.
 */
export function createDeadline(totalMs: number, task: string): WithinDeadline {
  let leftMs = totalMs;
  return async (call) => {
    if (leftMs <= 0) throw new SandboxError('ended', `the sandbox takes too long to ${task}`);
    const startedAt = performance.now();
    try {
      return await call(Math.ceil(leftMs));
    } finally {
      leftMs -= performance.now() - startedAt;
    }
  };
}
