// The kernel counts watches of files (inotify) by user, and a worker that is not root has one for all its sandboxes: the
// first that takes them all would leave none to the others, nor to the person whose user it is. A user namespace has a
// limit of its own, which only its maker may set; so each sandbox is started in one that may have a share.
import { execFileSync } from 'node:child_process';
import { readIfThere } from '../../proc/processes.ts';

const sandboxesPerLimit = 8;
const minimum = { instances: 4, watches: 1024 };

/** Takes both limits, then the command, which must have no capability in that namespace. */
const limitScript = `set -e
echo "$1" > /proc/sys/user/max_inotify_instances
echo "$2" > /proc/sys/user/max_inotify_watches
shift 2
exec setpriv --ambient-caps=-all --inh-caps=-all -- "$@"
`;

/** What a sandbox has to be started by; nothing where a user of its own stands in, or where this machine refuses. */
export function shareWatches(): string[] {
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
      'share-watches',
    ],
    ...(['instances', 'watches'] as const).map((what) => String(shareOf(what))),
  ];
  return works(prefix) ? prefix : [];
}

function shareOf(what: keyof typeof minimum): number {
  const all = Number(readIfThere(`/proc/sys/user/max_inotify_${what}`)) || 0;
  return Math.max(Math.floor(all / sandboxesPerLimit), minimum[what]);
}

/** Some systems let only bwrap itself make user namespaces. */
function works([program = '', ...args]: string[]): boolean {
  try {
    execFileSync(program, [...args, 'true'], { stdio: 'ignore', timeout: 5_000 });
    return true;
  } catch {
    return false;
  }
}
