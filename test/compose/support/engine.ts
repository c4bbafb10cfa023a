/** The engine for the tests of Compose. `.ci/run` starts one with infra/engine/up-compose.sh and names it here. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runProgram } from '@fettle/process';
import { describe } from 'vitest';

/** The address, and the id of a process in the engine's network namespace, if it has one of its own. */
const [address, networkProcess] = (process.env.FETTLE_TEST_COMPOSE ?? '').split(' ');

export const describeWithCompose = describe.skipIf(!address);
export const engineSocket = (address ?? '').replace('unix://', '');
const folder = dirname(engineSocket);

const ownPrograms = existsSync(join(folder, 'client')) ? `${folder}/programs/usr/bin:` : '';
const clientEnvironment: Record<string, string> = {
  PATH: `${ownPrograms}${process.env.PATH}`,
  HOME: process.env.HOME ?? '/',
  DOCKER_HOST: address ?? '',
  ...(ownPrograms !== '' && { DOCKER_CONFIG: join(folder, 'client') }),
  // Lists what a build did, step by step.
  BUILDKIT_PROGRESS: 'plain',
};

export interface RunOptions {
  cwd?: string;
  environment?: Record<string, string>;
  input?: string;
  /** Resolve also if the program fails. */
  mayFail?: boolean;
}

/** Runs a program with access to the engine. Returns its standard output. */
export async function run(argv: string[], options: RunOptions = {}): Promise<string> {
  const { exitCode, stdout, stderr, error } = await runProgram(argv, {
    environment: { ...clientEnvironment, ...options.environment },
    endsWithParent: true,
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    ...(options.input !== undefined && { input: options.input }),
  });
  const output = stdout.toString('utf8');
  if (exitCode !== 0 && !options.mayFail) {
    throw new Error(
      `${argv.join(' ')} failed (${exitCode}): ${error?.message ?? ''}\n${`${output}${stderr}`.slice(-5_000)}`,
    );
  }
  return output;
}

/** Runs a program where the ports of the engine's containers are published. */
export function runInNetwork(argv: string[], options?: RunOptions): Promise<string> {
  return run(enter(argv), options);
}

export function enter(argv: string[]): string[] {
  return networkProcess === undefined ? argv : ['nsenter', '--net', '--target', networkProcess, ...argv];
}

/** Ends the engine, which its service manager (or up-compose.sh) starts again. */
export async function restartEngine(): Promise<void> {
  const pid = await run(['cat', join(folder, 'engine.pid')]);
  await run(['kill', '-TERM', pid.trim()]);
  const ended = Date.now() + 60_000;
  while (existsSync(`/proc/${pid.trim()}`) && Date.now() < ended) await run(['sleep', '0.2']);
  while (
    Date.now() < ended &&
    (await run(['docker', 'version'], { mayFail: true })).includes('Cannot connect')
  )
    await run(['sleep', '0.5']);
}
