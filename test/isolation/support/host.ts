// A worker of its own process, for attempts that need one to be killed, or started in a particular way.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brokerFor } from '../../support/brokers.ts';
import type { IsolationBackend } from './backends.ts';
import type { World } from './world.ts';

const PROGRAM = fileURLToPath(new URL('./host-process.ts', import.meta.url));

/** Node itself closes those that it finds in a row from 0 on; this one stands apart. */
export const OPEN_FILE_AT = 33;

export interface HostOptions {
  backend: IsolationBackend;
  world: World;
  /** For `/bin/sh -c`, inside. */
  command: string;
  /** The worker is started with this file open, as shells and service managers do. */
  openFile?: string;
}

/** What the command said, once the worker is over. */
export async function runInHost(options: HostOptions): Promise<string> {
  const host = await startHost(options);
  let output = '';
  host.stdout?.on('data', (bytes: Buffer) => {
    output += bytes.toString('latin1');
  });
  const [code] = await once(host, 'close');
  if (code !== 0) throw new Error(`the worker ended with ${code}: ${output}`);
  return output;
}

export async function startHost({ backend, world, command, openFile }: HostOptions): Promise<ChildProcess> {
  const broker = backend.name === 'docker' ? await brokerFor(undefined) : undefined;
  const opened = openFile === undefined ? undefined : openSync(openFile, 'r');
  const handles = opened === undefined ? [] : [...Array(OPEN_FILE_AT - 3).fill('ignore'), opened];
  try {
    return spawn(process.execPath, [PROGRAM, backend.name, world.sandboxes, command], {
      env: { ...process.env, ...(broker && { ISOLATION_BROKER: broker.url }) },
      stdio: ['ignore', 'pipe', 'inherit', ...handles],
    });
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}
