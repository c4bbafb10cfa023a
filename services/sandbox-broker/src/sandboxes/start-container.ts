import type { Duplex } from 'node:stream';
import { FettleError } from '@fettle/contract';
import type { Container } from 'dockerode';
import type { Config } from '../config.ts';
import { containerSettings, type SandboxToBuild } from '../container-settings.ts';
import type { Engine } from '../engine/connect-engine.ts';
import type { BrokerSandbox } from './sandbox.ts';

/** A busy machine takes its time; beyond this the engine is stuck. */
const ENGINE_LIMIT_MS = 60_000;

export interface StartOptions {
  engine: Engine;
  config: Config;
  diskQuota: boolean;
}

/** Attached before it is started, so that nothing that the toolbox says is missed. */
export async function startContainer(
  sandbox: BrokerSandbox,
  { engine, config, diskQuota }: StartOptions,
): Promise<Duplex> {
  const toBuild: SandboxToBuild = { ...sandbox, diskQuota };
  try {
    const abortSignal = AbortSignal.timeout(ENGINE_LIMIT_MS);
    // Else the library would also put all of it into the address.
    const settings = { _query: {}, _body: containerSettings(toBuild, config), abortSignal };
    sandbox.container = await engine.createContainer(settings);
    const attached = await attach(sandbox.container);
    await sandbox.container.start({ abortSignal });
    return attached;
  } catch (error) {
    throw explain(error, sandbox.image);
  }
}

async function attach(container: Container): Promise<Duplex> {
  const given = new AbortController();
  // A signal that fires later would also end the stream, so its time is over as soon as there is one.
  const limit = setTimeout(() => given.abort(), ENGINE_LIMIT_MS);
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
