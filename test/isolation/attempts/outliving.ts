import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { findProcesses } from '../../../infra/testing/find-processes.ts';
import { clearLeftovers } from '../../../packages/sandbox/src/backends/leftovers.ts';
import type { Attempt, Stage, Verdict } from '../support/attempt.ts';
import { type Daemon, makeDaemon } from '../support/daemon.ts';
import { startHost } from '../support/host.ts';

const PATIENCE_MS = 30_000;

/** Bounded, should nothing else end it. */
const HOP = 'use POSIX; setsid(); my $end = time + 30; while (time < $end) { exit if fork; setsid() }';

export const outliving: Attempt[] = [
  {
    name: 'a daemon outlives its command',
    onProcess: 'gets out',
    scenario: withDaemon(async (daemon, { start }) => {
      const sandbox = await start();
      await sandbox.run({ command: `${daemon.command}; kill -0 $$` });
      return daemon.isAlive() ? 'it lives on beside the next command' : 'held';
    }),
  },
  {
    name: 'a daemon outlives a command that is ended at its time limit',
    onProcess: 'gets out',
    scenario: withDaemon(async (daemon, { start }) => {
      const sandbox = await start();
      await sandbox.run({ command: `${daemon.command}; trap '' TERM; sleep 100`, timeoutMs: 2000 });
      return daemon.isAlive() ? 'it lives on beside the next command' : 'held';
    }),
  },
  {
    name: 'a daemon outlives the sandbox',
    onProcess: 'gets out',
    scenario: withDaemon(async (daemon, { start }) => {
      const sandbox = await start();
      await sandbox.run({ command: daemon.command });
      await sandbox.close();
      return daemon.isAlive() ? 'it lives on' : 'held';
    }),
  },
  {
    name: 'a daemon outlives a worker that is killed',
    onProcess: 'gets out',
    scenario: withDaemon((daemon, stage) =>
      killHost(daemon, stage, `${daemon.command}; echo ready; sleep 100`),
    ),
  },
  {
    name: 'a daemon outlives a worker that is killed while the toolbox is frozen',
    onProcess: 'gets out',
    scenario: withDaemon((daemon, stage) =>
      killHost(daemon, stage, `${daemon.command}; echo ready; sleep 1; kill -STOP $PPID; sleep 100`),
    ),
  },
  {
    name: 'a process that forks faster than it is killed outlives the sandbox',
    onProcess: { skip: 'nobody could end it before it ends itself' },
    scenario: async ({ start }) => {
      const mark = `hop-${randomBytes(8).toString('hex')}`;
      const sandbox = await start();
      await sandbox.run({ command: `env -i perl -e '${HOP}' ${mark} > /dev/null 2>&1 & sleep 1` });
      await sandbox.close();
      return findProcesses(mark).length > 0 ? 'it lives on' : 'held';
    },
  },
  {
    name: 'a process that forks faster than it is killed holds up the end of its command',
    onProcess: { skip: 'nobody could end it before it ends itself' },
    scenario: async ({ start }) => {
      const sandbox = await start();
      const started = performance.now();
      const command = `env -i perl -e '${HOP}' & sleep 1`;
      const error = await sandbox.run({ command, timeoutMs: 2000 }).catch(({ message }: Error) => message);
      if (typeof error === 'string') return error;
      return performance.now() - started > 10_000 ? 'the answer came late' : 'held';
    },
  },
];

/** One that got out is ended, whatever else happens. */
function withDaemon(
  play: (daemon: Daemon, stage: Stage) => Promise<Verdict>,
): (stage: Stage) => Promise<Verdict> {
  return async (stage) => {
    const daemon = makeDaemon();
    try {
      return await play(daemon, stage);
    } finally {
      daemon.end();
    }
  };
}

async function killHost(daemon: Daemon, { backend, world }: Stage, command: string): Promise<Verdict> {
  const host = await startHost({ backend, world, command });
  const exited = once(host, 'exit');
  await Promise.race([once(host.stdout as NonNullable<typeof host.stdout>, 'data'), exited]);
  if (!daemon.isAlive()) throw new Error('the daemon did not start');
  // Long enough for a toolbox that is to be frozen.
  if (command.includes('STOP')) await new Promise((resolve) => setTimeout(resolve, 3000));
  host.kill('SIGKILL');
  await exited;
  const ended = await daemon.ends(backend.isolates ? PATIENCE_MS : 3000);
  // What a killed worker leaves on the disk is cleared away by the next.
  await clearLeftovers(world.sandboxes);
  return ended ? 'held' : 'it lives on';
}
