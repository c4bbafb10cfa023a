/** Terminates a program when the process that started it dies, including by `kill -9`. */
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** For `node --import`: a Node service ends when its standard input, a pipe from its parent, is closed. */
export const endWithParentPreload = fileURLToPath(new URL('./end-with-parent-preload.ts', import.meta.url));

const pollMs = 100;

/**
 * The shell becomes the program, so the process id and the exit code are the program's own. A watcher in the same process
 * group reads file descriptor 3, a pipe that the parent holds. End of file without a line means that the parent is dead:
 * the watcher then terminates the group, and kills what is left of it when the program has exited or its time is up.
 * A line means that the program exited first.
 */
const launchScript = `
polls=$1
shift
( trap '' TERM
  if ! read -r line <&3; then
    kill -TERM 0
    while [ "$polls" -gt 0 ] && kill -0 $$; do sleep ${pollMs / 1000}; polls=$((polls - 1)); done
    kill -KILL 0
  fi
) </dev/null >/dev/null 2>&1 &
exec "$@" 3<&-
`;

export function watchedCommand(argv: readonly string[], graceMs: number): string[] {
  return ['/bin/sh', '-c', launchScript, 'sh', String(Math.ceil(graceMs / pollMs)), ...argv];
}

/** Keeps the watcher's pipe open until the program exits. Returns the function to call at that moment. */
export function holdParentPipe(pipe: Duplex): () => void {
  // The watcher may die first, when the whole group is killed.
  pipe.on('error', () => {});
  pipe.resume();
  return () => void pipe.end('exited\n');
}
