import type { CommandMode, Kind, Plan } from '@fettle/contract';
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
