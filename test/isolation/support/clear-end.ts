import { type Sandbox, SandboxError } from '@fettle/sandbox';
import type { Stage, Verdict } from './attempt.ts';

export async function expectClearEnd(
  { start }: Stage,
  attack: (sandbox: Sandbox) => Promise<unknown>,
): Promise<Verdict> {
  const sandbox = await start();
  const result = await attack(sandbox).catch(expectSandboxEnd);
  if (result !== undefined) return `it went on: ${JSON.stringify(result)}`;
  await sandbox.close();
  return goesOn(await start());
}

/** Any other error is the worker's own, and a fault. */
export function expectSandboxEnd(error: unknown): undefined {
  if (error instanceof SandboxError && error.endsSandbox) return;
  throw error;
}

/** Whether a sandbox works as any other does. */
export async function goesOn(sandbox: Sandbox): Promise<Verdict> {
  const { output } = await sandbox
    .run({ argv: ['echo', 'on'] })
    .catch(({ message }: Error) => ({ output: message }));
  return output === 'on\n' ? 'held' : `afterwards: ${output}`;
}
