import { writeFile } from 'node:fs/promises';

export interface LivenessFileOptions {
  path: string;
  /** Resolves if the worker can receive jobs. */
  probe(): Promise<unknown>;
  intervalMs?: number;
}

/** Touches a file for external health checks while the worker can receive jobs: a running process alone proves little. */
export function startLivenessFile({ path, probe, intervalMs = 5_000 }: LivenessFileOptions) {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function touch(): Promise<void> {
    // On any error the file is left to age, which is what health checks look at.
    await probe()
      .then(() => writeFile(path, ''))
      .catch(() => {});
    if (!isStopped) timer = setTimeout(touch, intervalMs).unref();
  }

  touch();
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
