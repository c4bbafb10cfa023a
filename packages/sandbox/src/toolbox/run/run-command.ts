import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, lstatSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { createBoundedOutput } from '../../protocol/bounded-output.ts';
import type { RunParams } from '../../protocol/requests.ts';
import { SandboxError } from '../../protocol/sandbox-error.ts';
import type { ToolboxRunResult } from '../../protocol/schemas.ts';
import { show } from '../../protocol/workspace-path.ts';
import { resolveForReading } from '../resolve-path.ts';
import type { Call } from '../serve.ts';
import type { Toolbox } from '../toolbox.ts';
import { buildEnvironment } from './environment.ts';
import { closePipe } from './output-pipes.ts';
import { type ProcessFamily, watchFamily } from './process-family.ts';
import { endProcesses, memoryOf, sendSignal, signalProcess } from './processes.ts';

/** How long a command may take to end by itself: at its limit, and when somebody waits for its end. */
const GRACE_MS = { timeout: 2000, cancelled: 500, memory: 0 };
const MEMORY_LOOK_MS = 250;
/** How long output is waited for from a process that could not be killed. */
const LAST_OUTPUT_MS = 1000;

export async function runCommand(toolbox: Toolbox, params: RunParams, call: Call): Promise<ToolboxRunResult> {
  const marker = `${toolbox.marker}.${randomBytes(8).toString('hex')}`;
  const { child, reader, started } = await startCommand(toolbox, params, marker);
  const { listNewcomers, families, ownsProcesses } = toolbox;
  const leader = child.pid as number;
  const family = watchFamily({ leader, marker, listNewcomers, families, ownsProcesses });
  families.add(family);
  const stop = stopOnLimit(child, family, { ...params, signal: call.signal });
  const output = pumpOutput(reader, params, call);
  const { exitCode, signal } = await exitOf(child);
  const programMs = performance.now() - started;
  const reason = stop.settle();
  family.stopWatching();
  const isAlone = ownsProcesses && families.size === 1;
  await endLeftovers(family, child, { reader, isAlone });
  families.delete(family);
  const omittedBytes = await output;
  // Not before: the end of this command would have taken it along.
  toolbox.pipes.prepare();
  return {
    exitCode,
    signal,
    timedOut: reason === 'timeout',
    outOfMemory: reason === 'memory',
    cancelled: reason === 'cancelled',
    omittedBytes,
    programMs,
  };
}

async function startCommand(toolbox: Toolbox, { command, cwd, env }: RunParams, marker: string) {
  const folder = resolveForReading(toolbox.workspace, cwd, { last: 'follow' });
  if (!lstatSync(folder).isDirectory()) {
    throw new SandboxError('not_directory', `${show(cwd)} is not a directory`);
  }
  const [program, ...args] = typeof command === 'string' ? ['/bin/sh', '-c', command] : command;
  if (program === undefined) throw new SandboxError('bad_request', 'a command needs a program');
  const environment = buildEnvironment(toolbox, { marker, given: env });
  const pipe = await toolbox.pipes.open();
  const started = performance.now();
  const child = spawn(program, args, {
    cwd: folder,
    env: environment,
    detached: true,
    stdio: ['ignore', pipe.writeFd, pipe.writeFd],
  });
  if (child.pid === undefined) {
    closePipe(pipe);
    const error = await new Promise<Error>((resolve) => child.once('error', resolve));
    throw new SandboxError('not_found', `${show(program)} cannot be started: ${error.message}`);
  }
  closeSync(pipe.writeFd);
  offerToKernel(child.pid);
  return { child, reader: pipe.reader, started };
}

/** Where memory runs out, the kernel takes a command before it takes the toolbox. */
function offerToKernel(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
  } catch {
    // It is gone already, or this is no Linux.
  }
}

function exitOf(child: ChildProcess): Promise<{ exitCode: number | null; signal: string | null }> {
  return new Promise((resolve) => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
  });
}

type StopReason = 'timeout' | 'cancelled' | 'memory';

interface Limits {
  timeoutMs: number;
  memoryBytes: number;
  signal: AbortSignal;
}

/** Notes the reason before it kills, so that the end of the command can be told from one of its own. */
function stopOnLimit(child: ChildProcess, family: ProcessFamily, { timeoutMs, memoryBytes, signal }: Limits) {
  let reason: StopReason | undefined;
  let hardStop: NodeJS.Timeout | undefined;
  const leader = child.pid as number;

  function stop(why: StopReason): void {
    if (reason !== undefined) return;
    reason = why;
    const outside = family.find().filter(({ group }) => group !== leader);
    sendSignal(-leader, 'SIGTERM');
    for (const info of outside) signalProcess(info, 'SIGTERM');
    hardStop = setTimeout(() => sendSignal(-leader, 'SIGKILL'), GRACE_MS[why]);
  }

  const timer = setTimeout(() => stop('timeout'), timeoutMs);
  const look = () => memoryOf(family.find()) > memoryBytes && stop('memory');
  const memoryTimer = memoryBytes > 0 ? setInterval(look, MEMORY_LOOK_MS) : undefined;
  const onAbort = (): void => stop('cancelled');
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  return {
    /** The command has ended; says what ended it, if it was not itself. */
    settle(): StopReason | undefined {
      clearTimeout(timer);
      clearInterval(memoryTimer);
      clearTimeout(hardStop);
      signal.removeEventListener('abort', onAbort);
      return reason;
    },
  };
}

/** Nothing that a command started outlives it, also when it ended well. */
async function endLeftovers(
  family: ProcessFamily,
  child: ChildProcess,
  { reader, isAlone }: { reader: Socket; isAlone: boolean },
): Promise<void> {
  sendSignal(-(child.pid as number), 'SIGKILL');
  // One that forks faster than it is looked for is seen by no walk; this reaches all there are at one moment, and
  // neither the toolbox nor process 1.
  if (isAlone) sendSignal(-1, 'SIGKILL');
  const allEnded = await endProcesses(family.find);
  if (!allEnded || process.platform !== 'linux') {
    setTimeout(() => reader.destroy(), LAST_OUTPUT_MS).unref();
  }
}

/** Never holds more than the limit: live output waits for the host, other output keeps its head and tail. */
async function pumpOutput(
  reader: Socket,
  { maxOutputBytes, live }: RunParams,
  { send }: Call,
): Promise<number> {
  const kept = createBoundedOutput(maxOutputBytes);
  try {
    for await (const chunk of reader) {
      if (live) await send(chunk);
      else kept.push(chunk);
    }
  } catch {
    // Cut off from a process that would not die, or from the host: the result says how the command ended.
  }
  await send(kept.head());
  await send(kept.tail());
  return kept.omittedBytes();
}
