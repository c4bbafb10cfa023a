import { setTimeout } from 'node:timers/promises';
import type { SandboxEnd } from '@fettle/contract';
import type { Container } from 'dockerode';
import { z } from 'zod';
import { joinUsage, readUsage } from '../engine/read-usage.ts';
import type { BrokerSandbox } from './sandbox.ts';

/** Short, because the figures are optional. */
const finalReadMs = 1_000;
const removeLimitMs = 30_000;
const removePausesMs = [0, 200, 1_000, 3_000];

const stateSchema = z.object({
  State: z.object({
    Running: z.boolean(),
    ExitCode: z.number().int(),
    OOMKilled: z.boolean().default(false),
  }),
});

/** Kills everything in the container and removes it with its volume. Waits for a start that is in progress. */
export async function endSandbox(sandbox: BrokerSandbox): Promise<SandboxEnd> {
  await sandbox.starting?.catch(() => {});
  const { container } = sandbox;
  const state = container === undefined ? undefined : await readFinalState(sandbox, container);
  if (container !== undefined) await removeContainer(container);
  const reason = sandbox.reason ?? 'exited';
  return {
    // The engine keeps the state of a container that has exited. Without one, the engine itself was away.
    reason: reason === 'exited' && container !== undefined && state === undefined ? 'engine_away' : reason,
    ...(state !== undefined && !state.Running && { exitCode: state.ExitCode }),
    outOfMemory: state?.OOMKilled ?? false,
    errorOutput: sandbox.errorOutput.toString('utf8'),
    ...(sandbox.usage !== undefined && { usage: sandbox.usage }),
  };
}

async function readFinalState(sandbox: BrokerSandbox, container: Container) {
  const abortSignal = AbortSignal.timeout(finalReadMs);
  const [usage, inspected] = await Promise.all([
    readUsage(container, finalReadMs),
    container.inspect({ abortSignal }).catch(() => undefined),
  ]);
  sandbox.usage = joinUsage(sandbox.usage, usage);
  return stateSchema.safeParse(inspected).data?.State;
}

/** A missing container counts as removed. One that cannot be removed is left to `collectLeftovers`. */
export async function removeContainer(container: Container): Promise<void> {
  let failure: unknown;
  for (const pauseMs of removePausesMs) {
    await setTimeout(pauseMs);
    try {
      await container.remove({ force: true, v: true, abortSignal: AbortSignal.timeout(removeLimitMs) });
      return;
    } catch (error) {
      const status = (error as { statusCode?: number }).statusCode;
      if (status === 404) return;
      failure = error;
    }
  }
  throw failure;
}
