// A worker that is root must not lend that to its sandboxes: root is exempt from limits on processes, and some files of
// the kernel ask for its number alone. So another user stands in. It may not be able to get to root's folders, so what
// it needs is first mounted where it can, in a mount namespace that ends with the sandbox.
import { chownSync } from 'node:fs';

/** A number that Debian gives to nobody by itself. */
const USER = 61_001;
const MEETING_PLACE = '/mnt';

/** Takes pairs of a source and a place up to the first `--`, then the command. */
const MEET = `set -e
mount -t tmpfs -o mode=711,size=64k tmpfs ${MEETING_PLACE}
while [ "$1" != -- ]; do
  if [ -d "$1" ]; then mkdir "$2"; else : > "$2"; fi
  mount --bind "$1" "$2"
  shift 2
done
shift
exec setpriv --reuid=${USER} --regid=${USER} --clear-groups -- "$@"
`;

function needsStandIn(): boolean {
  return process.getuid?.() === 0;
}

export function giveToStandIn(path: string): void {
  if (needsStandIn()) chownSync(path, USER, USER);
}

/** Where the stand-in finds each of these folders and files, and the command that it has to be started by. */
export function meetStandIn<Name extends string>(
  sources: Record<Name, string>,
): { paths: Record<Name, string>; prefix: string[] } {
  if (!needsStandIn()) return { paths: sources, prefix: [] };
  const names = Object.keys(sources) as Name[];
  const paths = Object.fromEntries(names.map((name) => [name, `${MEETING_PLACE}/${name}`])) as Record<
    Name,
    string
  >;
  const pairs = names.flatMap((name) => [sources[name], paths[name]]);
  const enter = ['unshare', '--mount', '--propagation', 'private', '/bin/sh', '-c', MEET, 'stand-in'];
  return { paths, prefix: [...enter, ...pairs, '--'] };
}
