import type { CliError } from '../cli-error.ts';
import { dim, type Line, red } from './line.ts';
import { showDuration } from './quantities.ts';
import type { Terminal } from './terminal.ts';

/** Reports a service that exited unexpectedly. */
export function printChildExit(terminal: Terminal, error: CliError, pauseMs: number | undefined): void {
  const restart = pauseMs === undefined ? '' : `; restarting in ${showDuration(pauseMs)}`;
  const [head = '', ...log] = error.message.split('\n');
  terminal.print([[red(`✗ ${head}${restart}`)], ...log.map((line): Line => [dim(line)])]);
}
