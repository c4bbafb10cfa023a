/** Runs the toolbox as a plain child process, without isolation: for tests, for trials, and for disposable machines. */
import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSandbox } from '../host/open-sandbox.ts';
import { endProcesses, findMarkedProcesses } from '../proc/processes.ts';
import { SandboxError } from '../protocol/sandbox-error.ts';
import type { Backend, BackendOptions, StartedToolbox } from './backend.ts';
import { clearLeftovers, makeOwnedFolder } from './leftovers.ts';
import { toolboxNodeOptions } from './node-options.ts';
import { removeTree } from './remove-tree.ts';
import { endToolbox, spawnToolbox } from './spawn-toolbox.ts';

const processWarning =
  'The sandbox backend is "process": commands run without any isolation, with the rights of this user, ' +
  'and can read its files and use its network.';

const toolboxMain = fileURLToPath(new URL('../toolbox/main.ts', import.meta.url));

export function openProcess({ folder, searchPath, tools }: BackendOptions): Backend {
  const ownNode = dirname(realpathSync(process.execPath));
  const places = tools === undefined ? undefined : { tools, ownNode, searchPath };
  return {
    name: 'process',
    warning: processWarning,
    clearLeftovers: () => clearLeftovers(folder),
    start: ({ warmUpAfterMs = 0 } = {}) =>
      openSandbox(startProcessToolbox({ folder, searchPath, warmUpAfterMs }), {
        backend: 'process',
        warning: processWarning,
        places,
      }),
  };
}

export interface ProcessBackendOptions {
  /** Each sandbox gets a private folder in here. */
  folder: string;
  /** The PATH of commands. */
  searchPath: string;
  /** How long an idle toolbox waits before it warms up. */
  warmUpAfterMs?: number;
  /** For tests: a program to run instead of the toolbox. */
  main?: string;
}

export function startProcessToolbox(options: ProcessBackendOptions): StartedToolbox {
  const { folder, searchPath, main = toolboxMain } = options;
  ensureOwnFolder(folder);
  const privateFolder = makeOwnedFolder(folder);
  const marker = basename(privateFolder);
  const child = spawnToolbox([process.execPath, ...toolboxNodeOptions, main], {
    cwd: privateFolder,
    env: {
      PATH: searchPath,
      LANG: 'C.UTF-8',
      FETTLE_WARM_UP_AFTER_MS: String(options.warmUpAfterMs ?? 0),
      FETTLE_TOOLBOX: marker,
      // Type stripping takes most of the start; the cache makes it a one-time cost per machine.
      NODE_COMPILE_CACHE: join(folder, 'compile-cache'),
    },
  });
  const { stdin, stdout } = child.process;
  return {
    input: stdin as NonNullable<typeof stdin>,
    output: stdout as NonNullable<typeof stdout>,
    errorOutput: child.errorOutput,
    async stop({ graceMs }) {
      await endToolbox(child, graceMs);
      const allEnded = await endProcesses(() => findMarkedProcesses(marker));
      await removeTree(privateFolder);
      if (!allEnded) throw new SandboxError('failed', 'a process of the sandbox could not be killed');
    },
  };
}

/** The folder holds a cache of compiled code, so one that another user created in a world-writable place is refused. */
function ensureOwnFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid } = lstatSync(folder);
  if (process.getuid !== undefined && uid !== process.getuid()) {
    throw new SandboxError('start_failed', `${folder} belongs to another user (uid ${uid})`);
  }
}
