/** Connects to the running server, or starts one that ends with this command. */
import { CliError, exitCodes } from '../cli-error.ts';
import type { Config } from '../config.ts';
import { requireScanner } from '../stack/require-scanner.ts';
import type { Stack, StackOptions } from '../stack/start-stack.ts';
import { type ApiClient, createApiClient } from './api-client.ts';
import { findServer, readToken } from './find-server.ts';

export interface Reached {
  client: ApiClient;
  /** Set if this command had to start a server. */
  stack: Stack | undefined;
}

export interface ReachOptions {
  config: Config;
  /** `change` and `answer` start a worker, which needs a model, and to propose a change also gitleaks. `look` starts only the api. */
  purpose: 'change' | 'answer' | 'look';
  signal: AbortSignal;
  onStart?(): void;
  onChildExit?: StackOptions['onChildExit'];
}

export async function reachServer({
  config,
  purpose,
  signal,
  onStart,
  onChildExit,
}: ReachOptions): Promise<Reached> {
  const isWork = purpose !== 'look';
  const found = await findServer(config);
  if (found && isWork && found.embedded) throw busyWithAnother(config.home);
  if (found) return { client: createApiClient(found), stack: undefined };
  const workerSettings = isWork ? requireModelKey(config) : {};
  if (purpose === 'change') await requireScanner(config);
  onStart?.();
  const { startStack } = await import('../stack/start-stack.ts');
  const stack = await startStack({
    config,
    home: config.home,
    port: 0,
    children: isWork ? ['api', 'worker'] : ['api'],
    // An operation survives its worker: a restarted worker resumes it.
    whenChildExits: isWork ? 'restart' : 'fail',
    embedded: true,
    ...(onChildExit && { onChildExit }),
    workerSettings,
    signal,
  });
  // FETTLE_TOKEN may belong to another server.
  const token = readToken({ token: undefined, home: config.home });
  return { client: createApiClient({ url: stack.url, token }), stack };
}

/** The worker needs a key to start. A model server at a custom base URL may not, so a placeholder is passed. */
export function requireModelKey({ model }: Config): Record<string, string> {
  const { key, keyName, url, urlName } = model;
  if (key !== undefined) return {};
  if (url !== undefined) return { [keyName]: 'none' };
  throw new CliError('no_model_key', `${keyName} is not set, so there is no model to use`, {
    exitCode: exitCodes.usage,
    advice: `Store it with 'fettle model login', or set it with 'export ${keyName}=…' (or ${keyName}_FILE to a file that contains it), or set ${urlName} to a server that needs no key. 'fettle demo' needs neither.`,
  });
}

function busyWithAnother(home: string): CliError {
  return new CliError(
    'home_in_use',
    `another 'fettle run' uses ${home}, with a server that ends with that command`,
    {
      exitCode: exitCodes.unavailable,
      advice: "Wait for it, or start 'fettle up' first: any number of runs can share that server.",
    },
  );
}
