import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrokerAddress } from '@fettle/sandbox';
import type { Config } from '../config.ts';
import { startBroker, wantsBroker } from '../stack/embedded-broker.ts';

/** Lends a sandbox broker for a while: the one that is named, else one of our own where there is an engine. */
export async function withBroker<T>(
  config: Config,
  signal: AbortSignal,
  use: (broker: BrokerAddress | undefined) => Promise<T>,
): Promise<T> {
  if (!(await wantsBroker(config))) return use(config.broker);
  const home = await mkdtemp(join(tmpdir(), 'fettle-broker-'));
  try {
    const broker = await startBroker(config, { home }, signal).catch((error: unknown) => {
      if (config.sandbox === 'docker' || signal.aborted) throw error;
      return undefined;
    });
    try {
      return await use(broker?.address);
    } finally {
      await broker?.stop();
    }
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
