/**
 * Runs one step of a plan: a pipeline. The programs are connected by pipes of the kernel, so that a program that exits early
 * ends the others, as in a shell.
 */
import { closeSync } from 'node:fs';
import type { CommandPlan } from '@fettle/contract';
import type { Toolbox } from '../toolbox.ts';
import { buildEnvironment } from './environment.ts';
import { openRedirects, type Stdio } from './open-redirects.ts';
import { checkProgramFile, type PlanFolder, resolveFolder } from './plan-folder.ts';
import type { ProcessFamily } from './process-family.ts';
import type { ProgramPipe } from './program-pipes.ts';
import { reportFault } from './report-fault.ts';
import { type Ending, startProgram } from './start-program.ts';

/** What all programs of one request share. */
export interface RunContext {
  toolbox: Toolbox;
  family: ProcessFamily;
  marker: string;
  env: Record<string, string>;
  /** The write end of the pipe to the host. */
  outputFd: number;
  /** Aborted when no more programs may be started. */
  signal: AbortSignal;
}

/** A command with expanded patterns. */
export type ReadyCommand = Omit<CommandPlan[number]['commands'][number], 'argv'> & { argv: string[] };

export async function runPipeline(
  commands: ReadyCommand[],
  folder: PlanFolder,
  context: RunContext,
): Promise<Ending> {
  const pipes = await openPipes(commands.length - 1, context);
  // No await from here to the last start, so that a limit sees all programs or none.
  const endings = commands.map((command, at) => {
    const input = pipes[at - 1]?.readFd;
    const output = pipes[at]?.writeFd;
    const files: Files = {
      stdio: [input ?? 'ignore', output ?? context.outputFd, context.outputFd],
      opened: [input, output].filter((fd) => fd !== undefined),
    };
    return withFiles(command, { files, folder }, () => start(command, { files, folder, context }));
  });
  return (await Promise.all(endings)).at(-1) as Ending;
}

/** A command's open files in the toolbox. A started program has its own copies. */
export interface Files {
  stdio: Stdio;
  opened: number[];
}

/** Opens the command's redirections, and closes all files at the end. An error becomes the command's failure. */
export async function withFiles(
  { redirects, argv: [name = ''] }: ReadyCommand,
  { files, folder }: { files: Files; folder: PlanFolder },
  execute: () => Ending | Promise<Ending>,
): Promise<Ending> {
  try {
    openRedirects(redirects, folder, files);
    return await execute();
  } catch (error) {
    return await reportFault(error, name, files.stdio[2]);
  } finally {
    closeFiles(files);
  }
}

/**
 * Git takes a folder with HEAD, objects and refs for a repository, and its settings can run programs. The policy refuses
 * writing to .git, but such a folder can have any name.
 */
const noBareRepositories = {
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'safe.bareRepository',
  GIT_CONFIG_VALUE_0: 'explicit',
};

function start(
  { argv, env }: ReadyCommand,
  { files, folder, context }: { files: Files; folder: PlanFolder; context: RunContext },
): Promise<Ending> {
  checkProgramFile(argv[0] ?? '', folder);
  const given = { ...context.env, ...(argv[0] === 'git' && noBareRepositories), ...env };
  const environment = buildEnvironment(context.toolbox, { marker: context.marker, given });
  const program = { argv, folder: resolveFolder(folder), environment, stdio: files.stdio };
  const { started, ended } = startProgram(program, context.family);
  // A pipe ends when its last writer is closed, and we hold one. If the start failed, the error is still to be written.
  if (started) closeFiles(files);
  return ended;
}

function closeFiles({ opened }: Files): void {
  for (const fd of opened.splice(0)) closeSync(fd);
}

async function openPipes(count: number, { toolbox, signal }: RunContext): Promise<ProgramPipe[]> {
  const pipes: ProgramPipe[] = [];
  try {
    while (pipes.length < count) pipes.push(await toolbox.pipes.openBetween());
    signal.throwIfAborted();
    return pipes;
  } catch (error) {
    for (const { readFd, writeFd } of pipes) [readFd, writeFd].forEach(closeSync);
    throw error;
  }
}
