import { join } from 'node:path';
import { markerName } from '../../proc/processes.ts';
import { SandboxError } from '../../protocol/sandbox-error.ts';
import type { Toolbox } from '../toolbox.ts';

/**
 * Node derives the size of its heap from the memory of the machine, or uses half of that of a container. With the former it
 * is killed before it collects garbage, and with the latter a single build cannot use what the sandbox has.
 */
const nodeHeapShare = 0.75;

/** Built from scratch, so that no variable of the machine reaches a command. */
export function buildEnvironment(
  { searchPath, home, tmp, memoryMb }: Toolbox,
  { marker, given }: { marker: string; given: Record<string, string> },
): Record<string, string> {
  checkVariables(given);
  return {
    PATH: searchPath,
    HOME: home,
    TMPDIR: tmp,
    // Yarn 1 as root stores its cache outside of HOME.
    XDG_CACHE_HOME: join(home, '.cache'),
    LANG: 'C.UTF-8',
    CI: 'true',
    TERM: 'dumb',
    NO_COLOR: '1',
    GIT_TERMINAL_PROMPT: '0',
    npm_config_update_notifier: 'false',
    npm_config_fund: 'false',
    npm_config_audit: 'false',
    ...(memoryMb > 0 && {
      NODE_OPTIONS: `--max-old-space-size=${Math.floor(memoryMb * nodeHeapShare)}`,
    }),
    ...given,
    [markerName]: marker,
  };
}

export function checkVariables(given: Record<string, string>): void {
  for (const [name, value] of Object.entries(given)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || value.includes('\0')) {
      throw new SandboxError(
        'bad_request',
        `${JSON.stringify(name)} cannot be set as an environment variable`,
      );
    }
  }
}
