import { delimiter, isAbsolute, join, relative } from 'node:path';
import { quoteArgument } from '../view/shell-quote.ts';
import { findProgram } from './find-program.ts';
import { workspaceRoot } from './workspace.ts';

/**
 * The command line that starts fettle in the user's shell. `npm run` adds the programs of the workspace to the PATH, so
 * that folder does not count.
 */
export function fettleCommand({ searchPath }: { searchPath: string }): string {
  const ownFolder = join(workspaceRoot, 'node_modules', '.bin');
  const others = searchPath.split(delimiter).filter((folder) => folder !== ownFolder);
  if (findProgram('fettle', others.join(delimiter))) return 'fettle';
  const program = join(ownFolder, 'fettle');
  const shortest = relative(process.cwd(), program);
  return quoteArgument(shortest.startsWith('..') || isAbsolute(shortest) ? program : shortest);
}
