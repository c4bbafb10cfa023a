import type { CommandMode } from '@fettle/contract';
import { z } from 'zod';
import { runProgram } from './run-program.ts';
import { defineTool, type Tool } from './tool.ts';

const always =
  'in the root of the repository. There is no terminal and no standard input; background processes are killed when it ends.';

const descriptions: Record<CommandMode, string> = {
  strict: `Runs a command line ${always}
No shell is involved. A line may contain programs with plain and quoted words, pipes, &&, ||, ;, redirections (2>&1, > file, < file), globs, cd, and NAME=value before a command. It may not contain variables, $(…), loops, here-documents or &; put such logic into a file with write_file, and run it with node or python.
The usual programs are available: to read, search and edit files, git, package scripts and tools (npm, npx, pnpm, yarn), node, python, go, cargo, make. A line that is not allowed does not run; the result names the part that was denied, the reason and an alternative.`,
  contained: `Runs a command line with /bin/sh ${always}`,
};

/** The model sees one tool; the mode decides how its command lines run. */
export const runCommand: Record<CommandMode, Tool> = {
  strict: defineRunCommand('strict'),
  contained: defineRunCommand('contained'),
};

function defineRunCommand(mode: CommandMode): Tool {
  return defineTool({
    name: 'run_command',
    description: descriptions[mode],
    effect: 'runs',
    takesCommandLine: true,
    input: z.strictObject({
      command: z.string().min(1).max(10_000),
      timeoutSeconds: z.int().min(1).max(3_600).optional(),
    }),
    run({ timeoutSeconds }, context) {
      const { command, limits } = context;
      if (command === undefined) throw new Error('a command line was not judged before it ran');
      const what = command.by === 'plan' ? { plan: command.plan } : { command: command.line };
      return runProgram(what, context, { timeoutSeconds, memoryBytes: limits.commandMemoryBytes });
    },
  });
}
