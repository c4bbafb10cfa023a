import type { Duplex } from 'node:stream';
import { FettleError, sandboxEnds } from '@fettle/contract';
import { processMark } from '@fettle/sandbox';
import type { Container } from 'dockerode';
import type { Config } from '../config.ts';
import type { Engine } from '../engine/connect-engine.ts';
import { containerSettings, type SandboxToBuild } from './container-settings.ts';
import { containerName } from './labels.ts';
import type { BrokerSandbox } from './sandbox.ts';

/** Long enough for a busy machine. After this time the engine hangs. */
const engineLimitMs = 60_000;

export interface StartOptions {
  engine: Engine;
  config: Config;
  diskQuota: boolean;
}

/**
 * Attaches to the container before it starts, so that no output is lost. Checks after each step whether the sandbox has
 * been ended meanwhile, because a request to create a container cannot be aborted.
 */
export async function startContainer(
  sandbox: BrokerSandbox,
  { engine, config, diskQuota }: StartOptions,
): Promise<Duplex> {
  const toBuild: SandboxToBuild = { ...sandbox, diskQuota, brokerProcess: processMark() };
  try {
    const abortSignal = AbortSignal.timeout(engineLimitMs);
    const name = containerName(sandbox);
    // Without an explicit query, dockerode would put the whole body into the URL.
    const settings = {
      _query: { name },
      _body: containerSettings(toBuild, config),
      abortSignal,
    };
    const container = await engine.createContainer(settings).catch((error: unknown) => {
      // If only the response was lost, the container exists: by its name it can be removed.
      sandbox.container = engine.getContainer(name);
      throw error;
    });
    sandbox.container = container;
    throwIfEnded(sandbox);
    const attached = await attach(container);
    try {
      throwIfEnded(sandbox);
      await container.start({ abortSignal });
      throwIfEnded(sandbox);
      return attached;
    } catch (error) {
      attached.destroy();
      throw error;
    }
  } catch (error) {
    throw explain(error, sandbox.image);
  }
}

function throwIfEnded({ reason }: BrokerSandbox): void {
  if (reason === undefined) return;
  throw new FettleError('unavailable', `the sandbox was ended during its start: ${sandboxEnds[reason]}`);
}

export async function attach(container: Container): Promise<Duplex> {
  const timeout = new AbortController();
  // The signal would also destroy the attached stream, so the timer is cleared as soon as there is one.
  const timer = setTimeout(() => timeout.abort(), engineLimitMs);
  try {
    const outputs = { stream: true, hijack: true, stdin: true, stdout: true, stderr: true };
    return (await container.attach({ ...outputs, abortSignal: timeout.signal })) as Duplex;
  } finally {
    clearTimeout(timer);
  }
}

function explain(error: unknown, image: string): unknown {
  if (error instanceof FettleError) return error;
  const { statusCode, message } = error as { statusCode?: number; message?: string };
  if (statusCode === 404 && message?.includes('No such image')) {
    return new FettleError('unavailable', `the engine does not have the image ${image}`);
  }
  return new Error(`the engine could not start a container: ${message}`, { cause: error });
}
