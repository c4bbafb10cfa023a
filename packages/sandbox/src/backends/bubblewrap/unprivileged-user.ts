// A worker that is root must not lend that to its sandboxes: root is exempt from limits on processes, and some files of
// the kernel ask for its number alone. So another user stands in. It may not be able to get to root's folders, so what
// it needs is first mounted where it can, in a mount namespace that ends with the sandbox.
import { chownSync } from 'node:fs';

/**
 * Numbers that neither Debian nor systemd gives to anybody by itself. Each sandbox has its own for as long as they
 * last, since the kernel counts by them: one that takes all watches of files would leave its neighbours none.
 */
const firstUser = 61_001;
const userCount = 183;
let taken = process.pid;

export function takeStandIn(): number {
  taken += 1;
  return firstUser + (taken % userCount);
}

const mountPoint = '/mnt';

/** Takes the user, then pairs of a source and a place up to the first `--`, then the command. */
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

function needsStandIn(): boolean {
  return process.getuid?.() === 0;
}

export function giveToStandIn(path: string, user: number): void {
  if (needsStandIn()) chownSync(path, user, user);
}

/** Where the stand-in finds each of these folders and files, and the command that it has to be started by. */
export function meetStandIn<Name extends string>(
  sources: Record<Name, string>,
  user: number,
): { paths: Record<Name, string>; prefix: string[] } {
  if (!needsStandIn()) return { paths: sources, prefix: [] };
  const names = Object.keys(sources) as Name[];
  const paths = Object.fromEntries(names.map((name) => [name, `${mountPoint}/${name}`])) as Record<
    Name,
    string
  >;
  const pairs = names.flatMap((name) => [sources[name], paths[name]]);
  const enter = ['unshare', '--mount', '--propagation', 'private', '/bin/sh', '-c', mountScript, 'stand-in'];
  return { paths, prefix: [...enter, String(user), ...pairs, '--'] };
}
