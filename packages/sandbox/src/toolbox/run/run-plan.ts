/** Runs a parsed command line step by step, without a shell. */
import type { CommandPlan } from '@fettle/contract';
import { SandboxError } from '../../protocol/sandbox-error.ts';
import { checkVariables } from './environment.ts';
import { expandWords } from './expand-words.ts';
import { changeFolder, type PlanFolder } from './plan-folder.ts';
import { reportFault } from './report-fault.ts';
import { type Files, type ReadyCommand, type RunContext, runPipeline, withFiles } from './run-pipeline.ts';
import { type Ending, terminatedEnding } from './start-program.ts';

type PlanStep = CommandPlan[number];
type PlanCommand = PlanStep['commands'][number];

const succeeded: Ending = { exitCode: 0, signal: null };

/** Rejects invalid arguments before the first program is started. */
export function checkPlan(plan: CommandPlan): void {
  for (const { argv, env } of plan.flatMap(({ commands }) => commands)) {
    checkVariables(env);
    if (argv.some((word) => Object.values(word).some((value) => String(value).includes('\0')))) {
      throw new SandboxError('bad_request', 'a word of a command cannot contain NUL');
    }
  }
}

export async function runPlan(plan: CommandPlan, start: PlanFolder, context: RunContext): Promise<Ending> {
  let folder = start;
  let last = succeeded;
  for (const { when, commands } of plan) {
    if (!applies(when, last)) continue;
    context.family.forgetEmptyGroups();
    try {
      ({ ending: last, folder } = await runStep(commands, folder, context));
    } catch (error) {
      if (error === context.signal.reason) return terminatedEnding;
      throw error;
    }
  }
  return last;
}

function applies(when: PlanStep['when'], { exitCode }: Ending): boolean {
  return when === 'always' || (when === 'success') === (exitCode === 0);
}

async function runStep(
  commands: PlanCommand[],
  folder: PlanFolder,
  context: RunContext,
): Promise<{ ending: Ending; folder: PlanFolder }> {
  const ready: ReadyCommand[] = [];
  for (const command of commands) {
    try {
      ready.push({ ...command, argv: await expandWords(command.argv, folder, context.signal) });
    } catch (error) {
      const [name] = command.argv;
      const ending = await reportFault(error, name && 'text' in name ? name.text : '', context.outputFd);
      return { ending, folder };
    }
  }
  context.signal.throwIfAborted();
  const [only, ...others] = ready;
  if (only?.argv[0] === 'cd' && others.length === 0) return runCd(only, folder, context);
  return { ending: await runPipeline(ready, folder, context), folder };
}

async function runCd(
  command: ReadyCommand,
  folder: PlanFolder,
  { outputFd }: RunContext,
): Promise<{ ending: Ending; folder: PlanFolder }> {
  let next = folder;
  const files: Files = { stdio: ['ignore', outputFd, outputFd], opened: [] };
  const ending = await withFiles(command, { files, folder }, () => {
    next = changeFolder(folder, command.argv.slice(1));
    return succeeded;
  });
  return { ending, folder: next };
}
