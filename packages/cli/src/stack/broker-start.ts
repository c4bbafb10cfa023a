/** The broker's part in the start of a stack: the worker waits for what it has to know of it. */
import type { BrokerAddress } from '@fettle/sandbox';
import { type CliError, interruptedError } from '../cli-error.ts';
import type { Config } from '../config.ts';
import { canGoWithout, startBroker, wantsBroker } from './embedded-broker.ts';
import type { KeepOptions, Running } from './keep-running.ts';

export interface BrokerStart {
  /** The worker's: where the broker is, or why there is none. */
  settings: Promise<Record<string, string>>;
  starts: KeepOptions['start'][];
}

export const noBroker: BrokerStart = { settings: Promise.resolve({}), starts: [] };

/** Without an engine the worker finds what else there is, unless containers were asked for by name. */
export function brokerStart(config: Config, home: string): BrokerStart {
  if (!wantsBroker(config)) return noBroker;
  const settings = Promise.withResolvers<Record<string, string>>();
  let again: BrokerAddress | undefined;
  const start = async (signal: AbortSignal): Promise<Running> => {
    try {
      const broker = await startBroker(config, { home, again }, signal);
      again = broker.address;
      settings.resolve({ FETTLE_BROKER_URL: again.url, FETTLE_BROKER_KEY: again.key });
      return broker;
    } catch (error) {
      // One that worked once is tried again, like every other part.
      if (again || !canGoWithout(config, error)) throw error;
      settings.resolve({ FETTLE_BROKER_MISSING: error.message });
      return stayIdle();
    }
  };
  return { settings: settings.promise, starts: [start] };
}

/** Stands where nothing was started; whoever waits for its end waits until it is stopped. */
function stayIdle(): Running {
  const ended = Promise.withResolvers<CliError>();
  return { exited: ended.promise, stop: async () => ended.resolve(interruptedError()) };
}
