import type { CommandMode, Kind, Plan } from '@fettle/contract';
import { whilePlanning } from './prompts/plan-words.ts';
import type { Tool } from './tool.ts';
import { build, formatCheck, lint, test, typecheck } from './tools/checks.ts';
import { deleteFile } from './tools/delete-file.ts';
import { editFile } from './tools/edit-file.ts';
import { gitDiff } from './tools/git-diff.ts';
import { gitLog } from './tools/git-log.ts';
import { gitStatus } from './tools/git-status.ts';
import { installDependencies } from './tools/install-dependencies.ts';
import { listDirectory } from './tools/list-directory.ts';
import { createProposePlan } from './tools/propose-plan.ts';
import { readFile } from './tools/read-file.ts';
import { readOutput } from './tools/read-output.ts';
import { reportFindings } from './tools/report-findings.ts';
import { resetFile } from './tools/reset-file.ts';
import { runCommand } from './tools/run-command.ts';
import { searchFiles } from './tools/search-files.ts';
import { searchText } from './tools/search-text.ts';
import { writeFile } from './tools/write-file.ts';

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

/** A review reads, and ends with what it found. */
export const reviewTools = [...readingTools, reportFindings] as Tool[];

/** A question is answered by reading; everything else may work on the files. */
export function toolsFor(kind: Kind, mode: CommandMode = 'strict'): Tool[] {
  return (kind === 'ask' ? readingTools : workingTools(mode)) as Tool[];
}

/** Whoever plans reads, and ends by a plan; everything else is refused until it is approved. */
export function planningTools(onPlan: (plan: Plan) => void) {
  const isWithheld = (tool: Tool) => !(readingTools as Tool[]).includes(tool);
  return {
    tools: [...readingTools, createProposePlan(onPlan)] as Tool[],
    withheld: { tools: (workingTools('strict') as Tool[]).filter(isWithheld), why: whilePlanning },
  };
}
