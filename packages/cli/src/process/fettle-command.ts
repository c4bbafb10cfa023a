import { delimiter, isAbsolute, join, relative } from 'node:path';
import { quoteArgument } from '../view/shell-quote.ts';
import { findProgram } from './find-program.ts';
import { workspaceRoot } from './workspace.ts';

/**
 * How this person can call fettle from their own shell. `npm run` puts the workspace's programs on the PATH of
 * what it runs, so that only what is on the PATH besides them counts.
 */
export function fettleCommand({ searchPath }: { searchPath: string }): string {
  const ownFolder = join(workspaceRoot, 'node_modules', '.bin');
  const others = searchPath.split(delimiter).filter((folder) => folder !== ownFolder);
  if (findProgram('fettle', others.join(delimiter))) return 'fettle';
  const program = join(ownFolder, 'fettle');
  const near = relative(process.cwd(), program);
  return quoteArgument(near.startsWith('..') || isAbsolute(near) ? program : near);
}
