import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type BrokerAddress, clearLeftovers, makeOwnedFolder } from '@fettle/sandbox';
import { CliError } from '../cli-error.ts';
import type { Config } from '../config.ts';
import { brokerName, startBroker, wantsBroker } from './embedded-broker.ts';
import { explainUnwritable } from './unwritable-home.ts';

export interface BrokerAccess {
  broker?: BrokerAddress | undefined;
  /** Why there is no broker although one was wanted. The caller decides whether that is an error. */
  missing?: CliError;
}

/** Provides a sandbox broker for one call: the configured one, or a new one if there is a container engine. */
export async function withBroker<T>(
  config: Config,
  signal: AbortSignal,
  use: (access: BrokerAccess) => Promise<T>,
): Promise<T> {
  if (!wantsBroker(config)) return use({ broker: config.broker });
  const place = join(config.home, 'brokers');
  const home = await makeHome(config, place).catch((error: unknown) => error);
  if (home instanceof CliError) return use({ missing: home });
  if (typeof home !== 'string') throw home;
  try {
    const broker = await startBroker(config, { home, ...nameOf(place) }, signal).catch((error: unknown) => {
      if (error instanceof CliError && !signal.aborted) return error;
      throw error;
    });
    if (broker instanceof CliError) return await use({ missing: broker });
    try {
      return await use({ broker: broker.address });
    } finally {
      await broker.stop();
    }
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function makeHome(config: Config, place: string): Promise<string> {
  try {
    await mkdir(place, { recursive: true, mode: 0o700 });
    await clearLeftovers(place);
    return makeOwnedFolder(place);
  } catch (error) {
    throw explainUnwritable(config.home, error);
  }
}

/** One name per home: the next broker removes what a killed one left. Only Linux can tell which brokers are alive. */
function nameOf(place: string): { name?: string } {
  return process.platform === 'linux' ? { name: brokerName(place) } : {};
}
