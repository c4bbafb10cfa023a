import { z } from 'zod';
import { runProgram } from '../run-program.ts';
import { defineTool } from '../tool.ts';

export const runCommand = defineTool({
  name: 'run_command',
  description:
    'Runs a command line with /bin/sh in the root of the repository. No terminal, no standard input; what it leaves running is ended.',
  effect: 'runs',
  input: z.strictObject({
    command: z.string().min(1).max(10_000),
    timeoutSeconds: z.int().min(1).max(3_600).optional(),
  }),
  run: ({ command, timeoutSeconds }, context) =>
    runProgram(command, context, { timeoutSeconds, memoryBytes: context.limits.commandMemoryBytes }),
});
