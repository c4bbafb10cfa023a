// Runs the toolbox behind walls that the kernel makes for any user: its own processes, network (none), users, mounts.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { endProcesses, findNamedProcesses, signalProcess, startTimeOf } from '../../proc/processes.ts';
import { SandboxError } from '../../protocol/sandbox-error.ts';
import type { StartedToolbox } from '../backend.ts';
import { withoutInherited } from '../inherited-handles.ts';
import { makeOwnedFolder } from '../leftovers.ts';
import type { SandboxLimits } from '../limits.ts';
import { allocatorSettings, toolboxNodeOptions } from '../node-options.ts';
import { removeTree } from '../remove-tree.ts';
import { endChild, listenToChild } from '../spawn-toolbox.ts';
import { insidePaths, limitArguments, type WallPaths, wallArguments } from './arguments.ts';
import { type Cgroup, makeCgroup } from './cgroup.ts';
import { awaitHead, type Head } from './init-process.ts';
import type { BubblewrapPlace } from './prepare-place.ts';
import { stopperOf } from './stop-stand-in.ts';
import { giveToStandIn, meetStandIn, takeStandIn } from './unprivileged-user.ts';
import { watchLimits } from './watch-limits.ts';

/** The kernel ends the processes of a namespace at once; a machine under load is given time to clear them away. */
const killLimitMs = 10_000;
/** bwrap makes its head at once, unless it is stuck itself. */
const initProcessMs = 5_000;

export interface BubblewrapOptions {
  place: BubblewrapPlace;
  limits: SandboxLimits;
  /** Where commands find their programs, inside. */
  searchPath: string;
  readOnly: readonly string[];
  warmUpAfterMs: number;
  /** See the cache's own words. */
  cacheWritable?: boolean;
}

export async function startBubblewrapToolbox(options: BubblewrapOptions): Promise<StartedToolbox> {
  const { place, limits } = options;
  const folder = makeOwnedFolder(place.folder);
  const cgroup = makeCgroup(basename(folder), limits);
  const user = takeStandIn();
  const child = await spawnOrFail(options, { folder, cgroup, user }).catch(async (error: Error) => {
    await cgroup?.remove();
    await removeTree(folder);
    throw new SandboxError('start_failed', `bubblewrap cannot be run: ${error.message}`, { cause: error });
  });
  const { note, errorOutput, exited } = listenToChild(child);
  const head = awaitHead(child);
  const watching = head.then((found) => {
    if (found === undefined) return undefined;
    const onExceeded = (reason: string) => {
      note(`the sandbox was ended: ${reason}`);
      // Not bwrap itself: at its end node closes the toolbox's input, and a toolbox that is still there would say that
      // its command was cancelled, as if somebody had asked for that.
      signalProcess(found, 'SIGKILL');
    };
    const [isGrouped, holdStill] = [cgroup !== undefined, stopperOf(user)];
    return watchLimits({ folder, head: found.pid, limits, isGrouped, holdStill, onExceeded });
  });

  return {
    input: child.stdin as NonNullable<typeof child.stdin>,
    output: child.stdout as NonNullable<typeof child.stdout>,
    errorOutput: () =>
      cgroup?.ranOutOfMemory() ? `${errorOutput()} it ran out of memory`.trim() : errorOutput(),
    usage: async () => (await watching)?.usage(),
    async stop({ graceMs }) {
      // A last look, while there is something to be seen.
      (await Promise.race([watching, delay(initProcessMs, undefined, { ref: false })]))?.usage();
      await endChild(child, exited, graceMs);
      (await watching)?.stop();
      const isCleared = await endAll(await head, basename(folder));
      if (isCleared) await cgroup?.remove();
      await removeTree(folder);
      if (!isCleared) throw new SandboxError('failed', 'a process of the sandbox could not be ended');
    },
  };
}

/** The stand-in may not be able to get to these either. */
type Shown = `shown-${number}`;

/** Enters the groups, then becomes the command. */
const enterScript = 'while [ "$1" != -- ]; do echo $$ > "$1"; shift; done; shift; exec "$@"';

interface Own {
  folder: string;
  cgroup: Cgroup | undefined;
  /** Who stands in for root. */
  user: number;
}

/** A child that has no streams, for want of handles, says why a moment later. */
async function spawnOrFail(options: BubblewrapOptions, own: Own): Promise<ChildProcess> {
  const child = spawnWalled(options, own);
  if (!child.stdin) throw (await once(child, 'error'))[0];
  return child;
}

function spawnWalled(options: BubblewrapOptions, { folder, cgroup, user }: Own) {
  const { place, limits, searchPath, readOnly, warmUpAfterMs, cacheWritable = false } = options;
  const { runtime, compileCache } = place;
  makeFolders(folder, user);
  if (cacheWritable) giveToStandIn(compileCache, user);
  const shown: Record<Shown, string> = Object.fromEntries(
    readOnly.map((path, index) => [`shown-${index}`, path]),
  );
  const sources: Record<Shown | keyof WallPaths, string> = { ...shown, ...runtime, folder, compileCache };
  const { paths, prefix } = meetStandIn(sources, user);
  const walls = wallArguments({
    paths,
    readOnly: readOnly.map((path, index) => ({ source: paths[`shown-${index}`] ?? path, path })),
    cacheWritable,
    seccompFd: 3,
    environment: {
      PATH: searchPath,
      LANG: 'C.UTF-8',
      ...allocatorSettings,
      NODE_COMPILE_CACHE: insidePaths.cache,
      FETTLE_OWN_PROCESSES: '1',
      FETTLE_WARM_UP_AFTER_MS: String(warmUpAfterMs),
    },
  });
  const toolbox = [insidePaths.node, ...toolboxNodeOptions, insidePaths.main];
  const enter = cgroup ? ['/bin/sh', '-c', enterScript, 'enter', ...cgroup.entries, '--'] : [];
  const argv = [
    ...[...enter, ...prefix, ...place.shareWatches, place.bwrap, ...walls, '--'],
    ...[...limitArguments(limits), ...toolbox],
  ];
  const seccompFd = openSync(place.seccompFilter, 'r');
  try {
    return withoutInherited(['pipe', 'pipe', 'pipe', seccompFd] as const, (stdio) =>
      spawn(argv[0] as string, argv.slice(1), {
        cwd: '/',
        // By the name a process is known that is left over from a start which was cut off; inside, it is not set.
        env: {
          FETTLE_TOOLBOX: basename(folder),
          PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
        },
        detached: true,
        stdio,
      }),
    );
  } finally {
    closeSync(seccompFd);
  }
}

function makeFolders(folder: string, user: number): void {
  giveToStandIn(folder, user);
  for (const name of ['root', 'tmp']) {
    mkdirSync(join(folder, name), { mode: 0o700 });
    giveToStandIn(join(folder, name), user);
  }
}

/** bwrap takes its head along, unless it was ended before it had told it to go on: that one waits for good. */
async function endAll(head: Head | undefined, name: string): Promise<boolean> {
  if (head === undefined) return endProcesses(() => findNamedProcesses(name));
  signalProcess(head, 'SIGKILL');
  const start = performance.now();
  while (startTimeOf(head.pid) === head.startTime) {
    if (performance.now() - start > killLimitMs) return false;
    await delay(5);
  }
  return true;
}
