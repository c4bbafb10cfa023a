import type { CommandMode, Kind, Plan } from '@fettle/contract';
import type { Message } from '../model/model.ts';
import { whilePlanning } from '../prompts/plan-messages.ts';
import { build, formatCheck, lint, test, typecheck } from './checks.ts';
import { deleteFile } from './files/delete-file.ts';
import { editFile } from './files/edit-file.ts';
import { listDirectory } from './files/list-directory.ts';
import { readFile } from './files/read-file.ts';
import { resetFile } from './files/reset-file.ts';
import { searchFiles } from './files/search-files.ts';
import { searchText } from './files/search-text.ts';
import { writeFile } from './files/write-file.ts';
import { gitDiff } from './git/git-diff.ts';
import { gitLog } from './git/git-log.ts';
import { gitStatus } from './git/git-status.ts';
import { installDependencies } from './install-dependencies.ts';
import { createProposePlan } from './propose-plan.ts';
import { readOutput } from './read-output.ts';
import { reportFindings } from './report-findings.ts';
import { runCommand } from './run-command.ts';
import type { Tool } from './tool.ts';

const readingTools = [
  readFile,
  readOutput,
  listDirectory,
  searchFiles,
  searchText,
  gitStatus,
  gitDiff,
  gitLog,
];
const workingTools = (mode: CommandMode) => [
  ...readingTools,
  writeFile,
  editFile,
  deleteFile,
  resetFile,
  runCommand[mode],
  installDependencies,
  typecheck,
  lint,
  test,
  build,
  formatCheck,
];

/** A review only reads, and ends with its findings. */
export const reviewTools = [...readingTools, reportFindings];

/** A question gets only the tools that read. */
export function toolsFor(kind: Kind, mode: CommandMode = 'strict'): Tool[] {
  return kind === 'ask' ? readingTools : workingTools(mode);
}

/** Planning only reads, and ends with a plan. All other tools are withheld until the plan is approved. */
export function planningTools(onPlan: (plan: Plan) => void) {
  const isWithheld = (tool: Tool) => !readingTools.includes(tool);
  return {
    tools: [...readingTools, createProposePlan(onPlan)],
    withheld: { tools: workingTools('strict').filter(isWithheld), why: whilePlanning },
  };
}

/** The paths that the calls of a conversation touched, as their tools declare them. */
export function listTouchedPaths(messages: Message[]): string[] {
  const tools = new Map(workingTools('strict').map((tool) => [tool.name, tool]));
  return messages.flatMap((message) =>
    message.role === 'user'
      ? []
      : message.blocks.flatMap((block) => (block.kind === 'tool' ? touchedBy(block) : [])),
  );

  function touchedBy({ tool: name, input }: { tool: string; input: unknown }): string[] {
    const tool = tools.get(name);
    const parsed = tool?.input.safeParse(input);
    return tool && parsed?.success ? tool.paths(parsed.data).map(({ path }) => path) : [];
  }
}
