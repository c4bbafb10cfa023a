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
  /** It ends with the command that started it. */
  embedded: boolean;
}

/** The server that FETTLE_URL names, else the one that owns this FETTLE_HOME, if it answers. */
export async function findServer(config: Config): Promise<FoundServer | undefined> {
  if (config.url !== undefined) {
    const failure = await tryReach(config.url);
    if (failure !== undefined) throw unreachable(config.url, failure);
    return { url: config.url, token: readToken(config), embedded: false };
  }
  const found = readServerFile(config.home);
  if (!found || !isAlive(found.pid)) return undefined;
  if (!(await comesToAnswer(found.url))) {
    // Else the process id is somebody else's by now.
    if (isHeldBy(config.home, found.pid)) throw startsAgain(config.home, found);
    return undefined;
  }
  return { url: found.url, token: readToken(config), embedded: found.embedded };
}

/** Its owner starts an api that ended again, within a moment. */
async function comesToAnswer(url: string): Promise<boolean> {
  const deadline = performance.now() + restartMs;
  while ((await tryReach(url)) !== undefined) {
    if (performance.now() > deadline) return false;
    await delay(200);
  }
  return true;
}

/** After an end that comes again and again its owner pauses for up to half a minute. */
function startsAgain(home: string, { pid, url }: { pid: number; url: string }): CliError {
  const message = `the api at ${url} does not answer: the Fettle that runs on ${home} (process ${pid}) is starting it again`;
  return new CliError('server_unreachable', message, {
    exitCode: exitCodes.unavailable,
    advice: `Try again in half a minute; ${join(home, 'logs', 'api.log')} says why it ended.`,
  });
}

/** Why a server cannot be reached, or nothing. */
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
    throw new CliError('no_token', `there is no token: FETTLE_TOKEN is not set and ${path} cannot be read`, {
      exitCode: exitCodes.denied,
      advice: 'Set FETTLE_TOKEN to a token of that server.',
    });
  }
}
