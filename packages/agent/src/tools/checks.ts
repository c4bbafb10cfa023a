/** The repository's checks, each as a tool: the command comes from the repository, and the model may choose a part of it. */
import { stripVTControlCharacters } from 'node:util';
import { checkEnvironment, narrowCommand, readScriptsOf, summariseRun } from '@fettle/checks';
import type { CheckName } from '@fettle/contract';
import { z } from 'zod';
import { defineTool, type Tool, type ToolContext, ToolFailure } from './tool.ts';

const path = z
  .string()
  .min(1)
  .max(500)
  .regex(/^[^-\p{C}][^\p{C}]*$/u, 'a path, without control characters and not an option');
const pattern = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^-\p{C}][^\p{C}]*$/u, 'one line that does not start with -');
const paths = z
  .array(path)
  .max(50)
  .default([])
  .describe('Only these files or folders. Without any: everything');

const nothing = z.strictObject({});
const files = z.strictObject({ paths });
const tests = z.strictObject({
  paths,
  pattern: pattern.optional().describe('Only tests whose name matches'),
});

export const [typecheck, lint, test, build, formatCheck] = [
  defineCheck('typecheck', 'typecheck', 'Runs the repository’s type check.', nothing),
  defineCheck('lint', 'lint', 'Runs the repository’s linter, on all files or on some.', files),
  defineCheck('test', 'test', 'Runs the repository’s tests, all or some of them.', tests),
  defineCheck('build', 'build', 'Runs the repository’s build.', nothing),
  defineCheck('format_check', 'format', 'Checks the format of the repository’s files, all or some.', files),
];

function defineCheck(
  name: string,
  check: CheckName,
  description: string,
  input: typeof nothing | typeof files | typeof tests,
): Tool {
  return defineTool<z.ZodObject>({
    name,
    description,
    effect: 'runs',
    input,
    paths: ({ paths = [] }) => (paths as string[]).map((each) => ({ path: each, access: 'read' as const })),
    async run(part, context) {
      const command = context.commands[check];
      if (command === undefined) {
        throw new ToolFailure(
          `This repository has no command for ${check}. Use run_command if you know one.`,
        );
      }
      return runCheck({ name: check, command, part: part as CheckPart }, context);
    },
  });
}

interface CheckPart {
  paths?: string[];
  pattern?: string | undefined;
}

async function runCheck(
  { name, command, part: { paths = [], pattern } }: { name: CheckName; command: string; part: CheckPart },
  context: ToolContext,
) {
  const { sandbox, limits, signal, mask } = context;
  const isWhole = paths.length === 0 && pattern === undefined;
  const chosen = isWhole
    ? ({ ok: true, command } as const)
    : narrowCommand(command, await readScripts(context), { paths, pattern });
  if (!chosen.ok) throw new ToolFailure(chosen.reason);
  const result = await sandbox.run({
    command: chosen.command,
    env: checkEnvironment,
    timeoutMs: limits.commandSeconds * 1000,
    maxOutputBytes: limits.commandOutputBytes,
    signal,
  });
  signal.throwIfAborted();
  if (isWhole) context.onCheck?.(command, result);
  const output = mask(stripVTControlCharacters(result.output));
  const summary = summariseRun({ ...result, name, output });
  const dropped =
    result.omittedBytes > 0 ? `\n(${result.omittedBytes} bytes of output over the limit were discarded)` : '';
  return {
    output: `${summary}${dropped}`,
    whole: output,
    programMs: result.programMs,
    failed: result.timedOut || result.exitCode !== 0,
  };
}

/** Empty if there is no manifest that can be read: the command is then taken as it is. */
async function readScripts({ sandbox, signal }: ToolContext): Promise<Record<string, unknown>> {
  try {
    const { bytes } = await sandbox.readFile('package.json', { signal });
    return readScriptsOf(bytes.toString('utf8'));
  } catch {
    signal.throwIfAborted();
    return {};
  }
}
