// Runs the toolbox as a plain child process: no isolation at all. For tests, for trying things out, and for
// machines that are themselves the sandbox.
import { spawn } from 'node:child_process';
import { lstatSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSandbox } from '../host/open-sandbox.ts';
import { endProcesses, findMarkedProcesses } from '../proc/processes.ts';
import { SandboxError } from '../protocol/sandbox-error.ts';
import type { Backend, BackendOptions, StartedToolbox } from './backend.ts';
import { withoutInherited } from './inherited-handles.ts';
import { clearLeftovers, makeOwnedFolder } from './leftovers.ts';
import { toolboxNodeOptions } from './node-options.ts';
import { removeTree } from './remove-tree.ts';
import { endChild, listenToChild } from './spawn-toolbox.ts';

const processWarning =
  'The sandbox backend is "process": commands run without any isolation, with the rights of this user, ' +
  'and can read its files and use its network.';

const toolboxMain = fileURLToPath(new URL('../toolbox/main.ts', import.meta.url));

export function openProcess({ folder, searchPath }: BackendOptions): Backend {
  return {
    name: 'process',
    warning: processWarning,
    clearLeftovers: () => clearLeftovers(folder),
    start: ({ warmUpAfterMs = 0 } = {}) =>
      openSandbox(startProcessToolbox({ folder, searchPath, warmUpAfterMs }), {
        backend: 'process',
        warning: processWarning,
      }),
  };
}

export interface ProcessBackendOptions {
  /** Private folders are made in here. */
  folder: string;
  /** Where commands find their programs. */
  searchPath: string;
  /** How long the toolbox waits before it uses its leisure to warm up. */
  warmUpAfterMs?: number;
  /** The program to run instead of the toolbox. */
  main?: string;
}

export function startProcessToolbox(options: ProcessBackendOptions): StartedToolbox {
  const { folder, searchPath, main = toolboxMain } = options;
  makeOwnFolder(folder);
  const privateFolder = makeOwnedFolder(folder);
  const marker = basename(privateFolder);
  const child = withoutInherited(['pipe', 'pipe', 'pipe'] as const, (stdio) =>
    spawn(process.execPath, [...toolboxNodeOptions, main], {
      cwd: privateFolder,
      env: {
        PATH: searchPath,
        LANG: 'C.UTF-8',
        FETTLE_WARM_UP_AFTER_MS: String(options.warmUpAfterMs ?? 0),
        FETTLE_TOOLBOX: marker,
        // Type stripping takes most of the start; with the cache it is done once per machine.
        NODE_COMPILE_CACHE: join(folder, 'compile-cache'),
      },
      // In a session of its own, so that a Ctrl-C meant for the worker does not end it in the middle of a part.
      detached: true,
      stdio,
    }),
  );
  const { errorOutput, exited } = listenToChild(child);
  return {
    input: child.stdin as NonNullable<typeof child.stdin>,
    output: child.stdout as NonNullable<typeof child.stdout>,
    errorOutput,
    async stop({ graceMs }) {
      await endChild(child, exited, graceMs);
      const allEnded = await endProcesses(() => findMarkedProcesses(marker));
      await removeTree(privateFolder);
      if (!allEnded) throw new SandboxError('failed', 'a process of the sandbox could not be ended');
    },
  };
}

/** Code is cached in there, so a folder that someone else put in a shared place will not do. */
function makeOwnFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid } = lstatSync(folder);
  if (process.getuid !== undefined && uid !== process.getuid()) {
    throw new SandboxError('start_failed', `${folder} belongs to another user (${uid})`);
  }
}
