/** A git for a worker's PATH whose pushes take long, before or after the target has the commit. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { openFolder } from '../../support/lifetime.ts';

export interface SlowGit {
  /** For the worker. */
  path: string;
  /** Appears when a push is paused. */
  reached: string;
}

export function makeSlowGit(when: 'before' | 'after', seconds = 30): SlowGit {
  const folder = openFolder('fettle-slow-git');
  const real = execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const reached = join(folder, 'reached');
  const stand = `touch '${reached}'; sleep ${seconds}`;
  const push = when === 'before' ? `${stand}; exec ${real} "$@"` : `${real} "$@"; ${stand}`;
  // Taking a branch away is a push too, and as quick as ever.
  const script = `#!/bin/sh\ncase " $* " in\n*" :refs/heads/"*) ;;\n*" push "*) ${push}; exit ;;\nesac\nexec ${real} "$@"\n`;
  writeFileSync(join(folder, 'git'), script, { mode: 0o755 });
  return {
    path: folder + delimiter + (process.env.PATH ?? ''),
    reached,
  };
}
