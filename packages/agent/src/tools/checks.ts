import type { CheckName } from '@fettle/contract';
import { z } from 'zod';
import { runProgram } from './run-program.ts';
import { defineTool, type Tool, ToolFailure } from './tool.ts';

/** The repository's checks, each as a tool without input: the command comes from the repository, not from the model. */
export const [typecheck, lint, test, build, formatCheck] = [
  defineCheck('typecheck', 'typecheck', 'Runs the repository’s type check.'),
  defineCheck('lint', 'lint', 'Runs the repository’s linter.'),
  defineCheck('test', 'test', 'Runs the repository’s tests.'),
  defineCheck('build', 'build', 'Runs the repository’s build.'),
  defineCheck('format_check', 'format', 'Checks the format of the repository’s files.'),
];

function defineCheck(name: string, check: CheckName, description: string): Tool {
  return defineTool({
    name,
    description,
    effect: 'runs',
    input: z.strictObject({}),
    async run(_input, context) {
      const command = context.commands[check];
      if (command === undefined) {
        throw new ToolFailure(
          `This repository has no command for ${check}. Use run_command if you know one.`,
        );
      }
      return runProgram({ command }, context);
    },
  });
}
