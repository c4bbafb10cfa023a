import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive } from '@fettle/owner-lock';
import { CliError, exitCodes } from '../cli-error.ts';
import type { Config } from '../config.ts';
import { isHeldBy } from '../stack/home-lock.ts';
import { readServerFile } from '../stack/server-file.ts';
import { type Server, unreachable } from './api-client.ts';

const limitMs = 2_000;
const restartMs = 5_000;

export interface FoundServer extends Server {
  /** The server ends with the command that started it. */
  embedded: boolean;
}

/** Returns the server of FETTLE_URL, or the one that owns this FETTLE_HOME, if it answers. */
export async function findServer(config: Config): Promise<FoundServer | undefined> {
  if (config.url !== undefined) {
    const failure = await tryReach(config.url);
    if (failure !== undefined) throw unreachable(config.url, failure);
    return { url: config.url, token: readToken(config), embedded: false };
  }
  const found = readServerFile(config.home);
  if (!found || !isAlive(found.pid)) return undefined;
  if (!(await waitForAnswer(found.url))) {
    // Otherwise the process id was reused by another program.
    if (isHeldBy(config.home, found.pid)) throw restarting(config.home, found);
    return undefined;
  }
  return { url: found.url, token: readToken(config), embedded: found.embedded };
}

/** The owner restarts an api that exited, usually within seconds. */
async function waitForAnswer(url: string): Promise<boolean> {
  const deadline = performance.now() + restartMs;
  while ((await tryReach(url)) !== undefined) {
    if (performance.now() > deadline) return false;
    await delay(200);
  }
  return true;
}

/** After repeated crashes the owner waits up to 30 s before the next restart. */
function restarting(home: string, { pid, url }: { pid: number; url: string }): CliError {
  const message = `the api at ${url} does not answer: the server that owns ${home} (process ${pid}) is restarting it`;
  return new CliError('server_unreachable', message, {
    exitCode: exitCodes.unavailable,
    advice: `Try again in 30 seconds. ${join(home, 'logs', 'api.log')} shows why it exited.`,
  });
}

/** Returns why the server cannot be reached, or undefined. */
async function tryReach(url: string): Promise<unknown> {
  try {
    const response = await fetch(new URL('/healthz', url), { signal: AbortSignal.timeout(limitMs) });
    await response.body?.cancel();
    return response.ok ? undefined : new Error(`status ${response.status}`);
  } catch (error) {
    return error;
  }
}

export function readToken({ token, home }: Pick<Config, 'token' | 'home'>): string {
  if (token !== undefined) return token;
  const path = join(home, 'admin-token');
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    throw new CliError('no_token', `no token: FETTLE_TOKEN is not set and ${path} cannot be read`, {
      exitCode: exitCodes.denied,
      advice: 'Set FETTLE_TOKEN to a token of that server.',
    });
  }
}
