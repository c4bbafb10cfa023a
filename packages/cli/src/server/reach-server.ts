/** A server to talk to: the one that runs, else one of our own that ends with this command. */

import { CliError, exitCodes } from '../cli-error.ts';
import type { Config } from '../config.ts';
import type { Stack, StackOptions } from '../stack/start-stack.ts';
import { type ApiClient, createApiClient } from './api-client.ts';
import { findServer, readToken } from './find-server.ts';

export interface Reached {
  client: ApiClient;
  /** The stack that belongs to this command, if it had to start one. */
  stack: Stack | undefined;
}

export interface ReachOptions {
  config: Config;
  /** To work on operations a model is needed; to look at them it is not. */
  purpose: 'work' | 'look';
  signal: AbortSignal;
  onStart?(): void;
  onChildEnd?: StackOptions['onChildEnd'];
}

export async function reachServer({
  config,
  purpose,
  signal,
  onStart,
  onChildEnd,
}: ReachOptions): Promise<Reached> {
  const found = await findServer(config);
  if (found && purpose === 'work' && found.embedded) throw busyWithAnother(config.home);
  if (found) return { client: createApiClient(found), stack: undefined };
  const workerSettings = purpose === 'work' ? requireModelKey(config) : {};
  onStart?.();
  const { startStack } = await import('../stack/start-stack.ts');
  const stack = await startStack({
    config,
    home: config.home,
    port: 0,
    children: purpose === 'work' ? ['api', 'worker'] : ['api'],
    // An operation outlives its worker: what ended is started again, and goes on.
    whenChildEnds: purpose === 'work' ? 'restart' : 'fail',
    embedded: true,
    ...(onChildEnd && { onChildEnd }),
    workerSettings,
    signal,
  });
  // A token for another server is of no use here.
  const token = readToken({ token: undefined, home: config.home });
  return { client: createApiClient({ url: stack.url, token }), stack };
}

/** The worker does not start without a key; a service at an address of one's own may do without one. */
export function requireModelKey({ model }: Config): Record<string, string> {
  const { key, keyName, url, urlName } = model;
  if (key !== undefined) return {};
  if (url !== undefined) return { [keyName]: 'none' };
  throw new CliError('no_model_key', `${keyName} is not set, and without it there is no model to ask`, {
    exitCode: exitCodes.usage,
    advice: `Set it with 'export ${keyName}=…' (or ${keyName}_FILE to a file that holds it); for a rehearsal set ${urlName} to its address. 'fettle demo' needs neither.`,
  });
}

function busyWithAnother(home: string): CliError {
  return new CliError(
    'home_in_use',
    `another 'fettle run' is using ${home}, with a server that ends when it does`,
    {
      exitCode: exitCodes.unavailable,
      advice: "Wait for it, or start 'fettle up' first: any number of runs can use that server.",
    },
  );
}
