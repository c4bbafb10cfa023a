import type { CommandMode } from '@fettle/contract';
import { z } from 'zod';
import { runProgram } from './run-program.ts';
import { defineTool, type Tool } from './tool.ts';
import { withoutNetwork } from './without-network.ts';

const always =
  'in the root of the repository. There is no terminal and no standard input; background processes are killed when it ends.';

const scratch =
  '/tmp is a scratch folder for notes, logs and experiments: it is kept between calls, and nothing in it becomes part of the change.';

const descriptions: Record<CommandMode, string> = {
  strict: `Runs a command line ${always}
No shell is involved. A line may contain programs with plain and quoted words, pipes, &&, ||, ;, redirections (2>&1, > file, < file), globs, cd, NAME=value before a command, and here-documents with a quoted delimiter (<<'EOF'). It may not contain variables, $(…) except "$(cat <<'EOF' …)", loops or &; put such logic into a file with write_file, and run it with node or python.
The usual programs are available: to read, search and edit files, git, package scripts and tools (npm, npx, pnpm, yarn), node, python, go, cargo, make, mise, and programs of the repository by their path. /tmp is a scratch folder for programs that read and change files, and for redirections; nothing in it becomes part of the change, and nothing in it can be run. A line that is not allowed does not run; the result names the part that was denied, the reason and an alternative.`,
  contained: `Runs a command line with bash ${always}
There is no network except to localhost: programs that need one are refused, and packages come with install_dependencies only.
${scratch}`,
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
      const what = command.by === 'plan' ? { plan: command.plan } : { argv: bashArgv(command.line) };
      return runProgram({ ...what, env: withoutNetwork }, context, {
        timeoutSeconds,
        memoryBytes: limits.commandMemoryBytes,
      });
    },
  });
}

/**
 * A machine without bash has sh. The trap makes the shell stay until the end: Node reports a program that was killed by a
 * real-time signal as successful, and a shell does not.
 */
function bashArgv(line: string): string[] {
  const start = 'shell=$(command -v bash) || shell=/bin/sh; exec "$shell" -c "$1"';
  return ['/bin/sh', '-c', start, 'sh', `trap : 0; ${line}`];
}
