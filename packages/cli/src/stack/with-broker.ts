import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type BrokerAddress, clearLeftovers, makeOwnedFolder } from '@fettle/sandbox';
import { CliError } from '../cli-error.ts';
import type { Config } from '../config.ts';
import { brokerName, startBroker, wantsBroker } from './embedded-broker.ts';
import { explainUnwritable } from './unwritable-home.ts';

export interface BrokerLoan {
  broker?: BrokerAddress | undefined;
  /** Why there is none, where one was wanted; whether that will do is for the borrower to say. */
  missing?: CliError;
}

/** Lends a sandbox broker for a while: the one that is named, else one of our own where there is an engine. */
export async function withBroker<T>(
  config: Config,
  signal: AbortSignal,
  use: (loan: BrokerLoan) => Promise<T>,
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

/** One name for all of one home: the next one clears away what a killed one left. Elsewhere the living cannot be told. */
function nameOf(place: string): { name?: string } {
  return process.platform === 'linux' ? { name: brokerName(place) } : {};
}
