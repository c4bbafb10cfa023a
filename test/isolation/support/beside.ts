import type { Sandbox } from '@fettle/sandbox';
import { type Program, programArgv } from './program.ts';

export interface Living {
  said(): string;
  stop(): Promise<void>;
}

/** A program that keeps running while others run elsewhere. It has started once it has printed its first line. */
export async function startBeside(
  sandbox: Sandbox,
  program: Program,
  env: Record<string, string> = {},
): Promise<Living> {
  const stop = new AbortController();
  const ready = Promise.withResolvers<void>();
  let said = '';
  const over = sandbox.run({
    argv: programArgv(program),
    env,
    signal: stop.signal,
    onOutput(chunk) {
      said += chunk;
      if (said.includes('\n')) ready.resolve();
    },
  });
  await Promise.race([ready.promise, over]);
  return {
    said: () => said,
    async stop() {
      stop.abort();
      await over;
    },
  };
}
