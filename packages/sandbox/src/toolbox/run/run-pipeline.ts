// One step of a plan: programs that each read what the one before them writes, through a pipe of the system, so that
// one that ends early ends the others as in a shell.
import { closeSync } from 'node:fs';
import type { CommandPlan } from '@fettle/contract';
import type { Toolbox } from '../toolbox.ts';
import { buildEnvironment } from './environment.ts';
import { openRedirects, type Stdio } from './open-redirects.ts';
import { type PlanFolder, resolveFolder } from './plan-folder.ts';
import type { ProcessFamily } from './process-family.ts';
import type { ProgramPipe } from './program-pipes.ts';
import { reportFault } from './report-fault.ts';
import { type Ending, startProgram } from './start-program.ts';

/** What all programs of one request have in common. */
export interface Work {
  toolbox: Toolbox;
  family: ProcessFamily;
  marker: string;
  env: Record<string, string>;
  /** Of the pipe that leads to the host. */
  outputFd: number;
  /** Aborted when nothing more is to be started. */
  signal: AbortSignal;
}

/** A command whose patterns are expanded. */
export type ReadyCommand = Omit<CommandPlan[number]['commands'][number], 'argv'> & { argv: string[] };

export async function runPipeline(commands: ReadyCommand[], folder: PlanFolder, work: Work): Promise<Ending> {
  const pipes = await openPipes(commands.length - 1, work);
  // From here to the last start nothing is waited for, so that a limit finds all of them or none.
  const endings = commands.map((command, at) => {
    const input = pipes[at - 1]?.readFd;
    const output = pipes[at]?.writeFd;
    const files: Files = {
      stdio: [input ?? 'ignore', output ?? work.outputFd, work.outputFd],
      opened: [input, output].filter((fd) => fd !== undefined),
    };
    return withFiles(command, { files, folder }, () => start(command, { files, folder, work }));
  });
  return (await Promise.all(endings)).at(-1) as Ending;
}

/** What a command has open here; once it has started, it has its own. */
export interface Files {
  stdio: Stdio;
  opened: number[];
}

/** Opens what the command's redirections name, and closes all in the end; whatever fails is the command's failure. */
export async function withFiles(
  { redirects, argv: [name = ''] }: ReadyCommand,
  { files, folder }: { files: Files; folder: PlanFolder },
  carryOut: () => Ending | Promise<Ending>,
): Promise<Ending> {
  try {
    openRedirects(redirects, folder, files);
    return await carryOut();
  } catch (error) {
    return await reportFault(error, name, files.stdio[2]);
  } finally {
    closeFiles(files);
  }
}

function start(
  { argv, env }: ReadyCommand,
  { files, folder, work }: { files: Files; folder: PlanFolder; work: Work },
): Promise<Ending> {
  const given = { ...work.env, ...env };
  const environment = buildEnvironment(work.toolbox, { marker: work.marker, given });
  const program = { argv, folder: resolveFolder(folder), environment, stdio: files.stdio };
  const { started, ended } = startProgram(program, work.family);
  // A pipe ends when its last writer does, and one of them is here. Who has not started has yet to say so.
  if (started) closeFiles(files);
  return ended;
}

function closeFiles({ opened }: Files): void {
  for (const fd of opened.splice(0)) closeSync(fd);
}

async function openPipes(count: number, { toolbox, signal }: Work): Promise<ProgramPipe[]> {
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
