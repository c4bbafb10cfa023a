/**
 * Sandboxes of a root worker run as an unprivileged user: root is exempt from limits on processes, and some files of the
 * kernel check only for uid 0. That user may not be able to enter root's folders, so all files that it needs are first
 * bind-mounted to a place that it can enter, in a mount namespace that ends with the sandbox.
 */
import { chownSync } from 'node:fs';
import { runProgram } from '@fettle/process';
import type { PauseSandbox } from '../../disk-audit/disk-usage.ts';
import { systemSearchPath } from './arguments.ts';

/**
 * Uids that neither Debian nor systemd assigns. Each sandbox gets its own, as long as there are enough, because the kernel
 * counts resources by uid: a sandbox that takes all inotify watches would leave none to its neighbours.
 */
const firstUser = 61_001;
const userCount = 183;
let taken = process.pid;

export function chooseUser(): number {
  taken += 1;
  return firstUser + (taken % userCount);
}

const mountPoint = '/mnt';

/** Arguments: the uid, then pairs of a source and a target up to the first `--`, then the command. */
const mountScript = `set -e
user=$1; shift
mount -t tmpfs -o mode=711,size=64k tmpfs ${mountPoint}
while [ "$1" != -- ]; do
  if [ -d "$1" ]; then mkdir "$2"; else : > "$2"; fi
  mount --bind "$1" "$2"
  shift 2
done
shift
exec setpriv --reuid="$user" --regid="$user" --clear-groups -- "$@"
`;

const isRoot = (): boolean => process.getuid?.() === 0;

export function giveToUser(path: string, user: number): void {
  if (isRoot()) chownSync(path, user, user);
}

/** Returns where the user finds each of these files and folders, and the command that switches to the user. */
export function switchToUser<Name extends string>(
  sources: Record<Name, string>,
  user: number,
): { paths: Record<Name, string>; prefix: string[] } {
  if (!isRoot()) return { paths: sources, prefix: [] };
  const names = Object.keys(sources) as Name[];
  const paths = Object.fromEntries(names.map((name) => [name, `${mountPoint}/${name}`])) as Record<
    Name,
    string
  >;
  const pairs = names.flatMap((name) => [sources[name], paths[name]]);
  const enter = [
    'unshare',
    '--mount',
    '--propagation',
    'private',
    '/bin/sh',
    '-c',
    mountScript,
    'switch-user',
  ];
  return { paths, prefix: [...enter, String(user), ...pairs, '--'] };
}

/**
 * Pauses a sandbox by stopping all processes of its user with one call, made as that user. This also stops processes that
 * are just being forked, which no list of processes would contain. Undefined where sandboxes share the worker's user.
 */
export function pauseByUser(user: number): PauseSandbox | undefined {
  if (!isRoot()) return undefined;
  return async (work) => {
    await signalAll(user, 'STOP');
    try {
      return await work();
    } finally {
      await signalAll(user, 'CONT');
    }
  };
}

async function signalAll(user: number, signal: 'STOP' | 'CONT'): Promise<void> {
  const setpriv = ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--'];
  // kill fails when no process is left to signal: the sandbox may have ended.
  const argv = [...setpriv, '/bin/sh', '-c', `kill -${signal} -1 || :`];
  const environment = { PATH: systemSearchPath };
  const { exitCode, stderr } = await runProgram(argv, { environment, timeoutMs: 10_000 });
  if (exitCode !== 0)
    throw new Error(`the processes of user ${user} could not be signalled: ${stderr.trim()}`);
}
