import type { CliError } from '../cli-error.ts';
import { dim, type Line, red } from './line.ts';
import { showDuration } from './quantities.ts';
import type { Terminal } from './terminal.ts';

/** A service ended that should not have. */
export function tellChildEnd(terminal: Terminal, error: CliError, pauseMs: number | undefined): void {
  const again = pauseMs === undefined ? '' : `; it is started again in ${showDuration(pauseMs)}`;
  const [head = '', ...log] = error.message.split('\n');
  terminal.print([[red(`✗ ${head}${again}`)], ...log.map((line): Line => [dim(line)])]);
}
