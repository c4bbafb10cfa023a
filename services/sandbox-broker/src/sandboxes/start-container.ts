import type { Duplex } from 'node:stream';
import { FettleError, sandboxEnds } from '@fettle/contract';
import { processMark } from '@fettle/sandbox';
import type { Container } from 'dockerode';
import type { Config } from '../config.ts';
import type { Engine } from '../engine/connect-engine.ts';
import { containerSettings, type SandboxToBuild } from './container-settings.ts';
import { containerName } from './labels.ts';
import type { BrokerSandbox } from './sandbox.ts';

/** A busy machine takes its time; beyond this the engine is stuck. */
const engineLimitMs = 60_000;

export interface StartOptions {
  engine: Engine;
  config: Config;
  diskQuota: boolean;
}

/**
 * Attached before it is started, so that nothing that the toolbox says is missed. The end of a sandbox that comes in the
 * middle is looked for after each step: a request to make a container cannot be taken back, only waited for.
 */
export async function startContainer(
  sandbox: BrokerSandbox,
  { engine, config, diskQuota }: StartOptions,
): Promise<Duplex> {
  const toBuild: SandboxToBuild = { ...sandbox, diskQuota, brokerProcess: processMark() };
  try {
    const abortSignal = AbortSignal.timeout(engineLimitMs);
    const name = containerName(sandbox);
    // Without a query of its own the library would put all of it into the address.
    const settings = {
      _query: { name },
      _body: containerSettings(toBuild, config),
      abortSignal,
    };
    const container = await engine.createContainer(settings).catch((error: unknown) => {
      // An engine whose answer was lost may have made it all the same: by its name it can be removed.
      sandbox.container = engine.getContainer(name);
      throw error;
    });
    sandbox.container = container;
    refuseEnded(sandbox);
    const attached = await attach(container);
    try {
      refuseEnded(sandbox);
      await container.start({ abortSignal });
      refuseEnded(sandbox);
      return attached;
    } catch (error) {
      attached.destroy();
      throw error;
    }
  } catch (error) {
    throw explain(error, sandbox.image);
  }
}

function refuseEnded({ reason }: BrokerSandbox): void {
  if (reason === undefined) return;
  throw new FettleError('unavailable', `the sandbox was ended while it was started: ${sandboxEnds[reason]}`);
}

async function attach(container: Container): Promise<Duplex> {
  const given = new AbortController();
  // A signal that fires later would also end the stream, so its time is over as soon as there is one.
  const limit = setTimeout(() => given.abort(), engineLimitMs);
  try {
    const outputs = { stream: true, hijack: true, stdin: true, stdout: true, stderr: true };
    return (await container.attach({ ...outputs, abortSignal: given.signal })) as Duplex;
  } finally {
    clearTimeout(limit);
  }
}

function explain(error: unknown, image: string): unknown {
  if (error instanceof FettleError) return error;
  const { statusCode, message } = error as { statusCode?: number; message?: string };
  if (statusCode === 404 && message?.includes('No such image')) {
    return new FettleError('unavailable', `the engine does not have the image ${image}`);
  }
  return new Error(`the engine did not start a container: ${message}`, { cause: error });
}
