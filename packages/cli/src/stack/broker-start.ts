/** Starts the sandbox broker as part of a stack, and gives the worker its address. */
import type { BrokerAddress } from '@fettle/sandbox';
import { type CliError, interruptedError } from '../cli-error.ts';
import type { Config } from '../config.ts';
import { canGoWithout, startBroker, wantsBroker } from './embedded-broker.ts';
import type { KeepOptions, Running } from './keep-running.ts';

export interface BrokerStart {
  /** Settings for the worker: the address of the broker, or why there is none. */
  settings: Promise<Record<string, string>>;
  starts: KeepOptions['start'][];
}

export const noBroker: BrokerStart = { settings: Promise.resolve({}), starts: [] };

/** Without a container engine the worker uses another sandbox, unless FETTLE_SANDBOX asks for docker. */
export function brokerStart(config: Config, home: string): BrokerStart {
  if (!wantsBroker(config)) return noBroker;
  const settings = Promise.withResolvers<Record<string, string>>();
  let previous: BrokerAddress | undefined;
  const start = async (signal: AbortSignal): Promise<Running> => {
    try {
      const broker = await startBroker(config, { home, previous }, signal);
      previous = broker.address;
      settings.resolve({ FETTLE_BROKER_URL: previous.url, FETTLE_BROKER_KEY: previous.key });
      return broker;
    } catch (error) {
      // A broker that worked before is restarted like every other service.
      if (previous || !canGoWithout(config, error)) throw error;
      settings.resolve({ FETTLE_BROKER_MISSING: error.message });
      return stayIdle();
    }
  };
  return { settings: settings.promise, starts: [start] };
}

/** Takes the place of a service that was not started. It exits when it is stopped. */
function stayIdle(): Running {
  const ended = Promise.withResolvers<CliError>();
  return { exited: ended.promise, stop: async () => ended.resolve(interruptedError()) };
}
