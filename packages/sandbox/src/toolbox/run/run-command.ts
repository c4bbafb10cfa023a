import { randomBytes } from 'node:crypto';
import { closeSync } from 'node:fs';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { countOomKills, ownMemoryGroups } from '../../proc/memory.ts';
import { endProcesses, sendSignal } from '../../proc/processes.ts';
import { createBoundedOutput } from '../../protocol/bounded-output.ts';
import type { RunParams } from '../../protocol/requests.ts';
import { SandboxError } from '../../protocol/sandbox-error.ts';
import type { ToolboxRunResult } from '../../protocol/schemas.ts';
import { normalizePath, show } from '../../protocol/workspace-path.ts';
import type { Call } from '../serve.ts';
import type { Toolbox } from '../toolbox.ts';
import { buildEnvironment, checkVariables } from './environment.ts';
import type { Stdio } from './open-redirects.ts';
import { type PlanFolder, resolveFolder } from './plan-folder.ts';
import { type ProcessFamily, watchFamily } from './process-family.ts';
import type { RunContext } from './run-pipeline.ts';
import { checkPlan, runPlan } from './run-plan.ts';
import { type Ending, startProgram, terminatedEnding } from './start-program.ts';
import { terminateOnLimit } from './terminate.ts';

/** How long to wait for the output of a process that could not be killed. */
const lastOutputMs = 1000;

export async function runCommand(toolbox: Toolbox, params: RunParams, call: Call): Promise<ToolboxRunResult> {
  const { listNewcomers, families, ownsProcesses, pipes } = toolbox;
  const { command, env } = params;
  const marker = `${toolbox.marker}.${randomBytes(8).toString('hex')}`;
  const { workspace, root, scratch } = toolbox;
  const path = normalizePath(params.cwd);
  const folder: PlanFolder = { workspace, root, scratch, path, isScratch: false };
  checkRequest(params, folder);
  const { reader, writeFd } = await pipes.open();
  const family = watchFamily({ marker, listNewcomers, families, ownsProcesses });
  families.add(family);
  const watch = terminateOnLimit(family, { ...params, signal: call.signal });
  const output = pumpOutput(reader, params, call);
  const context: RunContext = { toolbox, family, marker, env, outputFd: writeFd, signal: watch.signal };
  const killedBefore = countKilled(ownsProcesses);
  const started = performance.now();
  const [outcome] = await Promise.allSettled([
    isPlan(command) ? runPlan(command.plan, folder, context) : runProgram(toArgv(command), folder, context),
  ]);
  const programMs = performance.now() - started;
  closeSync(writeFd);
  const reason = watch.settle();
  family.stopWatching();
  const isAlone = ownsProcesses && families.size === 1;
  await endLeftovers(family, { reader, isAlone });
  families.delete(family);
  const omittedBytes = await output;
  // Not earlier: the end of this command would have killed mkfifo.
  pipes.prepare();
  if (outcome.status === 'rejected') throw outcome.reason;
  return {
    ...outcome.value,
    timedOut: reason === 'timeout',
    // The kernel may have killed one process of the command, and the others have ended because of that.
    outOfMemory:
      reason === 'memory' || (outcome.value.exitCode !== 0 && countKilled(ownsProcesses) > killedBefore),
    cancelled: reason === 'cancelled',
    omittedBytes,
    programMs,
  };
}

/** Without a sandbox of its own, the toolbox would count processes of the whole machine. */
function countKilled(ownsProcesses: boolean): number {
  return ownsProcesses ? countOomKills(ownMemoryGroups) : 0;
}

/** Rejects invalid requests before anything is started. */
function checkRequest({ command, env }: RunParams, folder: PlanFolder): void {
  resolveFolder(folder);
  checkVariables(env);
  if (isPlan(command)) checkPlan(command.plan);
  else if (command.length === 0) throw new SandboxError('bad_request', 'the command is empty');
}

function isPlan(command: RunParams['command']): command is Extract<RunParams['command'], { plan: unknown }> {
  return typeof command === 'object' && 'plan' in command;
}

/**
 * Some shells exec their last program. But Node reports a program that was killed by a real-time signal as successful, while
 * a shell does not. The trap makes the shell stay until the end.
 */
export function toArgv(command: string | string[], shell = '/bin/sh'): string[] {
  return typeof command === 'string' ? [shell, '-c', `trap : 0; ${command}`] : command;
}

async function runProgram(argv: string[], folder: PlanFolder, context: RunContext): Promise<Ending> {
  const { toolbox, family, marker, env, outputFd, signal } = context;
  if (signal.aborted) return terminatedEnding;
  const environment = buildEnvironment(toolbox, { marker, given: env });
  const stdio: Stdio = ['ignore', outputFd, outputFd];
  const { ended } = startProgram({ argv, folder: resolveFolder(folder), environment, stdio }, family);
  return ended.catch((error: Error) => {
    throw new SandboxError('not_found', `${show(argv[0] ?? '')} cannot be started: ${error.message}`);
  });
}

/** No process outlives its command, even if the command succeeded. */
async function endLeftovers(
  family: ProcessFamily,
  { reader, isAlone }: { reader: Socket; isAlone: boolean },
): Promise<void> {
  for (const group of family.groups()) sendSignal(-group, 'SIGKILL');
  // A process that forks faster than /proc is read escapes every list. This signal reaches all processes at once, except
  // the toolbox and process 1.
  if (isAlone) sendSignal(-1, 'SIGKILL');
  const allEnded = await endProcesses(family.find);
  if (!allEnded || process.platform !== 'linux') {
    setTimeout(() => reader.destroy(), lastOutputMs).unref();
  }
}

/** Never buffers more than the limit: live output waits for the host, other output is reduced to head and tail. */
async function pumpOutput(
  reader: Socket,
  { maxOutputBytes, live }: RunParams,
  { send }: Call,
): Promise<number> {
  // Let the program start first.
  await setImmediate();
  const kept = createBoundedOutput(maxOutputBytes);
  try {
    for await (const chunk of reader) {
      if (live) await send(chunk);
      else kept.push(chunk);
    }
  } catch {
    // The reader was destroyed, or the host is gone. The result tells how the command ended.
  }
  await send(kept.head());
  await send(kept.tail());
  return kept.omittedBytes();
}
