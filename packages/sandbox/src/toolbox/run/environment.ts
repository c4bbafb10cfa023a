import { join } from 'node:path';
import { markerName } from '../../proc/processes.ts';
import { SandboxError } from '../../protocol/sandbox-error.ts';
import type { Toolbox } from '../toolbox.ts';

/** Built from scratch, so that no variable of the machine reaches a command. */
export function buildEnvironment(
  { searchPath, home, tmp }: Toolbox,
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
