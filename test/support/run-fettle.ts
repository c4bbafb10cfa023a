/** Runs the command line as a user does. */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { runProgram } from '@fettle/process';
import type { Platform } from './platform.ts';
import type { Environment } from './service-process.ts';

const fettle = resolve(import.meta.dirname, '../../node_modules/.bin/fettle');

export interface FettleResult {
  code: number | undefined;
  stdout: string;
  stderr: string;
}

/** With nothing but these settings, and what a process of this test run needs. */
export async function runFettle(args: string[], settings: Environment): Promise<FettleResult> {
  const { PATH, TMPDIR, FETTLE_TEST_RUN } = process.env;
  const XDG_CONFIG_HOME = `${TMPDIR}/unused-config`;
  const given = { XDG_CONFIG_HOME, PATH, TMPDIR, FETTLE_TEST_RUN, HOME: homedir(), ...settings };
  const defined = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const result = await runProgram([fettle, ...args], { environment: Object.fromEntries(defined) });
  return { code: result.exitCode, stdout: result.stdout.toString(), stderr: result.stderr };
}

/** As a client of a running platform. */
export function runFettleOn({ home, url, token }: Platform, ...args: string[]): Promise<FettleResult> {
  return runFettle(args, { FETTLE_HOME: home, FETTLE_URL: url, FETTLE_TOKEN: token });
}
