import { writeFile } from 'node:fs/promises';

export interface SignOfLifeOptions {
  path: string;
  /** Answers while work can come in. */
  answers(): Promise<unknown>;
  everyMs?: number;
}

/** Keeps a file young, for health checks from outside: a process that runs may still be one that takes no work. */
export function startSignOfLife({ path, answers, everyMs = 5_000 }: SignOfLifeOptions) {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function renew(): Promise<void> {
    // Whatever fails lets the file grow old, and that is the sign.
    await answers()
      .then(() => writeFile(path, ''))
      .catch(() => {});
    if (!stopped) timer = setTimeout(renew, everyMs).unref();
  }

  renew();
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
