/**
 * The kernel counts inotify watches by user, and a worker that is not root runs all its sandboxes as one user: one sandbox
 * could use up the watches of the others and of the person whose account it is. A user namespace has a limit of its own,
 * so each sandbox is started in a namespace with a share of the watches.
 */
import { runProgram } from '@fettle/process';
import { readIfThere } from '../../proc/processes.ts';
import { systemSearchPath } from './arguments.ts';

const sandboxesPerUser = 8;
const minimum = { instances: 4, watches: 1024 };

/** Arguments: both limits, then the command, which must not have a capability in the namespace. */
const limitScript = `set -e
echo "$1" > /proc/sys/user/max_inotify_instances
echo "$2" > /proc/sys/user/max_inotify_watches
shift 2
exec setpriv --ambient-caps=-all --inh-caps=-all -- "$@"
`;

/** The command that starts bwrap with limits. Empty for root, whose sandboxes have users of their own, and where the system refuses. */
export async function findInotifyLimiter(): Promise<string[]> {
  if (process.getuid?.() === 0) return [];
  const prefix = [
    ...[
      'unshare',
      '--user',
      '--map-current-user',
      '--keep-caps',
      '/bin/sh',
      '-c',
      limitScript,
      'inotify-limits',
    ],
    ...(['instances', 'watches'] as const).map((what) => String(shareOf(what))),
  ];
  // Some systems let only bwrap itself create user namespaces.
  const environment = { PATH: systemSearchPath };
  const trial = await runProgram([...prefix, 'true'], { environment, timeoutMs: 5_000 });
  return trial.exitCode === 0 ? prefix : [];
}

function shareOf(what: keyof typeof minimum): number {
  const total = Number(readIfThere(`/proc/sys/user/max_inotify_${what}`)) || 0;
  return Math.max(Math.floor(total / sandboxesPerUser), minimum[what]);
}
