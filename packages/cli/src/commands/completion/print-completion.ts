import type { Command } from 'commander';
import { readConfig } from '../../config.ts';
import { createApiClient } from '../../server/api-client.ts';
import { findServer } from '../../server/find-server.ts';
import { toBash } from './bash.ts';
import type { Shell } from './completion.ts';
import { describeProgram } from './describe-program.ts';
import { toFish } from './fish.ts';
import { toZsh } from './zsh.ts';

const generators = { bash: toBash, zsh: toZsh, fish: toFish };

export function printCompletion(shell: Shell, program: Command): void {
  process.stdout.write(generators[shell](describeProgram(program)));
}

/** Longer would be felt as a stuck shell. */
const timeoutMs = 1_500;

/** The newest ids, if a server runs. Starting one would take seconds, and an error has no place in a completion. */
export async function printIds(): Promise<void> {
  setTimeout(() => process.exit(0), timeoutMs).unref();
  process.stdout.write('latest\n');
  try {
    const server = await findServer(readConfig());
    if (!server) return;
    const { operations } = await createApiClient(server).list({ limit: '20' });
    process.stdout.write(operations.map(({ id }) => `${id}\n`).join(''));
  } catch {
    // No ids.
  }
}
