/** Runs the toolbox under bwrap, in its own pid, network (without any interface), user and mount namespaces. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { endProcesses, findNamedProcesses, signalProcess, startTimeOf } from '../../proc/processes.ts';
import { SandboxError } from '../../protocol/sandbox-error.ts';
import type { StartedToolbox } from '../backend.ts';
import { makeOwnedFolder } from '../leftovers.ts';
import type { SandboxLimits } from '../limits.ts';
import { allocatorSettings, toolboxNodeOptions } from '../node-options.ts';
import { removeTree } from '../remove-tree.ts';
import { endToolbox, spawnToolbox, type ToolboxChild } from '../spawn-toolbox.ts';
import {
  bwrapArguments,
  insidePaths,
  limitArguments,
  type SandboxPaths,
  systemSearchPath,
} from './arguments.ts';
import { type Cgroup, makeCgroup } from './cgroup.ts';
import { type InitProcess, waitForInitProcess } from './init-process.ts';
import type { BubblewrapSetup } from './prepare-bubblewrap.ts';
import { chooseUser, giveToUser, pauseByUser, switchToUser } from './unprivileged-user.ts';
import { watchLimits } from './watch-limits.ts';

/** The kernel kills the processes of a pid namespace at once, but a loaded machine takes time to remove them. */
const killLimitMs = 10_000;
/** bwrap creates the init process at once, unless bwrap itself hangs. */
const initProcessMs = 5_000;
const seccompFd = 3;

export interface BubblewrapOptions {
  setup: BubblewrapSetup;
  limits: SandboxLimits;
  /** The PATH of commands, inside. */
  searchPath: string;
  readOnly: readonly { source: string; path: string }[];
  warmUpAfterMs: number;
  /** Only for the run that fills the cache of compiled code. */
  cacheWritable?: boolean;
}

export async function startBubblewrapToolbox(options: BubblewrapOptions): Promise<StartedToolbox> {
  const { setup, limits } = options;
  const folder = makeOwnedFolder(setup.folder);
  const cgroup = makeCgroup(basename(folder), limits);
  const user = chooseUser();
  const child = await spawnOrFail(options, { folder, cgroup, user }).catch(async (error: Error) => {
    await cgroup?.remove();
    await removeTree(folder);
    throw new SandboxError('start_failed', `bubblewrap could not be started: ${error.message}`, {
      cause: error,
    });
  });
  const { stdin, stdout } = child.process;
  const initProcess = waitForInitProcess(child.process);
  const watching = initProcess.then((found) => {
    if (found === undefined) return undefined;
    const onExceeded = (reason: string) => {
      child.addNote(`the sandbox was killed: ${reason}`);
      // Not bwrap itself: when bwrap exits, node closes the toolbox's input, and a toolbox that still runs would report
      // that its command was cancelled.
      signalProcess(found, 'SIGKILL');
    };
    const [hasCgroup, pauseSandbox] = [cgroup !== undefined, pauseByUser(user)];
    return watchLimits({ folder, initPid: found.pid, limits, hasCgroup, pauseSandbox, onExceeded });
  });

  return {
    input: stdin as NonNullable<typeof stdin>,
    output: stdout as NonNullable<typeof stdout>,
    errorOutput: () =>
      (cgroup?.oomKills() ?? 0) > 0
        ? `${child.errorOutput()} it ran out of memory`.trim()
        : child.errorOutput(),
    usage: async () => (await watching)?.usage(),
    oomKills: async () => (cgroup?.oomKills() ?? 0) + ((await watching)?.oomKills() ?? 0),
    async stop({ graceMs }) {
      // Measure once more while the processes exist.
      (await Promise.race([watching, delay(initProcessMs, undefined, { ref: false })]))?.usage();
      await endToolbox(child, graceMs);
      (await watching)?.stop();
      const allEnded = await killAll(await initProcess, basename(folder));
      if (allEnded) await cgroup?.remove();
      await removeTree(folder);
      if (!allEnded) throw new SandboxError('failed', 'a process of the sandbox could not be killed');
    },
  };
}

interface SandboxResources {
  folder: string;
  cgroup: Cgroup | undefined;
  /** The uid of the sandbox, where the worker is root. */
  user: number;
}

/** When file descriptors run out, a child has no streams, and its error event follows later. */
async function spawnOrFail(options: BubblewrapOptions, resources: SandboxResources): Promise<ToolboxChild> {
  const child = spawnBwrap(options, resources);
  if (!child.process.stdin) throw (await once(child.process as ChildProcess, 'error'))[0];
  return child;
}

/** The unprivileged user may not be able to enter these folders either, so they are mounted under these names. */
type ReadOnlyName = `read-only-${number}`;

/** Joins the control groups, then executes the command. */
const joinGroupsScript = 'while [ "$1" != -- ]; do echo $$ > "$1"; shift; done; shift; exec "$@"';

function spawnBwrap(options: BubblewrapOptions, { folder, cgroup, user }: SandboxResources): ToolboxChild {
  const { setup, limits, searchPath, readOnly, warmUpAfterMs, cacheWritable = false } = options;
  const { runtime, compileCache } = setup;
  makeFolders(folder, user);
  if (cacheWritable) giveToUser(compileCache, user);
  const readOnlySources: Record<ReadOnlyName, string> = Object.fromEntries(
    readOnly.map(({ source }, index) => [`read-only-${index}`, source]),
  );
  const sources: Record<ReadOnlyName | keyof SandboxPaths, string> = {
    ...{ ...readOnlySources, ...runtime, folder, compileCache },
  };
  const { paths, prefix } = switchToUser(sources, user);
  const bwrapOptions = bwrapArguments({
    paths,
    readOnly: readOnly.map(({ source, path }, index) => ({
      source: paths[`read-only-${index}`] ?? source,
      path,
    })),
    cacheWritable,
    seccompFd,
    environment: {
      PATH: searchPath,
      LANG: 'C.UTF-8',
      ...allocatorSettings,
      NODE_COMPILE_CACHE: insidePaths.cache,
      FETTLE_OWN_PROCESSES: '1',
      FETTLE_WARM_UP_AFTER_MS: String(warmUpAfterMs),
      FETTLE_MEMORY_MB: String(Math.floor(limits.memoryBytes / 1024 ** 2)),
      // Without a control group, nothing limits the CPU.
      ...(cgroup && { FETTLE_CPUS: String(Math.ceil(limits.cpus)) }),
    },
  });
  const toolbox = [insidePaths.node, ...toolboxNodeOptions, insidePaths.main];
  const joinGroups = cgroup
    ? ['/bin/sh', '-c', joinGroupsScript, 'join-groups', ...cgroup.entries, '--']
    : [];
  const argv = [
    ...[...joinGroups, ...prefix, ...setup.inotifyLimiter, setup.bwrap, ...bwrapOptions, '--'],
    ...[...limitArguments(limits, { hasCgroup: cgroup !== undefined }), ...toolbox],
  ];
  const extraFd = openSync(setup.seccompFilter, 'r');
  try {
    // The name identifies processes that an interrupted start leaves behind. It is not set inside the sandbox.
    const env = { FETTLE_TOOLBOX: basename(folder), PATH: systemSearchPath };
    return spawnToolbox(argv, { cwd: '/', env, extraFd });
  } finally {
    closeSync(extraFd);
  }
}

function makeFolders(folder: string, user: number): void {
  giveToUser(folder, user);
  for (const name of ['root', 'tmp']) {
    mkdirSync(join(folder, name), { mode: 0o700 });
    giveToUser(join(folder, name), user);
  }
}

/**
 * bwrap kills the init process when it exits, unless bwrap was killed before it had told the init process to continue:
 * that one would wait forever.
 */
async function killAll(initProcess: InitProcess | undefined, name: string): Promise<boolean> {
  if (initProcess === undefined) return endProcesses(() => findNamedProcesses(name));
  signalProcess(initProcess, 'SIGKILL');
  const start = performance.now();
  while (startTimeOf(initProcess.pid) === initProcess.startTime) {
    if (performance.now() - start > killLimitMs) return false;
    await delay(5);
  }
  return true;
}
