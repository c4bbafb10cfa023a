import type { CommandMode } from '@fettle/contract';
import { z } from 'zod';
import { runProgram } from './run-program.ts';
import { defineTool, type Tool } from './tool.ts';

const always =
  'in the root of the repository. No terminal, no standard input; what it leaves running is ended.';

const descriptions: Record<CommandMode, string> = {
  strict: `Runs a command line ${always}
No shell reads it. A line may have programs with plain words and quotes, pipes, &&, ||, ;, redirections (2>&1, > file, < file), globs, cd, and NAME=value in front of a command. It may not have variables, $(…), loops, here-documents or &; put such logic into a file with write_file, and run it with node or python.
Known are the usual programs to read, search and edit files, git, package scripts and tools (npm, npx, pnpm, yarn), node, python, go, cargo, make. What is not allowed is not run, and you are told which part, why, and what to do instead.`,
  contained: `Runs a command line with /bin/sh ${always}`,
};

/** The same tool for the model, whichever way its lines are run. */
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
      if (command === undefined) throw new Error('a command line that was not judged came to be run');
      const what = command.by === 'plan' ? { plan: command.plan } : { command: command.line };
      return runProgram(what, context, { timeoutSeconds, memoryBytes: limits.commandMemoryBytes });
    },
  });
}
