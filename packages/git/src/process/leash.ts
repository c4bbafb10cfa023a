// Ends a git together with the process that started it, however that one ends: a push must not outlive its worker.
import type { ChildProcess } from 'node:child_process';
import type { Duplex } from 'node:stream';

/**
 * One of git's own group waits at file descriptor 3 for a word that all is well. When it comes to the end without one,
 * whoever held the other end is dead, and the group is ended: asked first, so that git takes its locks away.
 */
const script = `
( trap '' TERM
  if ! read -r word <&3; then kill -TERM 0; sleep 1; kill -KILL 0; fi
) </dev/null >/dev/null 2>&1 &
exec git "$@" 3<&-
`;

export function leashedCommand(args: readonly string[]): { program: string; args: string[] } {
  return { program: '/bin/sh', args: ['-c', script, 'git', ...args] };
}

/** To be called once the process is started. */
export function holdLeash(child: ChildProcess): void {
  const leash = child.stdio[3] as Duplex;
  leash.on('error', () => {});
  leash.resume();
  child.once('exit', () => leash.end('well\n'));
}
