import type { RunOptions, RunResult } from '@fettle/sandbox';
import type { ToolContext, ToolResult } from './tool.ts';

export interface ProgramLimits {
  timeoutSeconds?: number | undefined;
  /** Without a value, the command has no memory limit of its own. */
  memoryBytes?: number;
}

/** Runs a program in the sandbox and describes how it ended, with advice that the model can act on. */
export async function runProgram(
  what: Pick<RunOptions, 'argv' | 'command' | 'env' | 'plan'>,
  { sandbox, limits, signal }: Pick<ToolContext, 'sandbox' | 'limits' | 'signal'>,
  { timeoutSeconds = limits.commandSeconds, memoryBytes = 0 }: ProgramLimits = {},
): Promise<ToolResult> {
  const seconds = Math.min(timeoutSeconds, limits.commandSeconds);
  const result = await sandbox.run({
    ...what,
    timeoutMs: seconds * 1000,
    maxOutputBytes: limits.commandOutputBytes,
    memoryBytes,
    signal,
  });
  signal.throwIfAborted();
  return describeRun(result, { seconds, memoryBytes });
}

export function describeRun(
  result: RunResult,
  { seconds, memoryBytes = 0 }: { seconds: number; memoryBytes?: number },
): ToolResult {
  const end = describeEnd(result, { seconds, memoryBytes });
  const text = result.output.trimEnd();
  const dropped =
    result.omittedBytes > 0 ? `; ${result.omittedBytes} bytes of output over the limit were discarded` : '';
  return {
    output: `${text}${text ? '\n' : ''}(${end}${dropped})`,
    programMs: result.programMs,
    failed: result.timedOut || result.exitCode !== 0,
  };
}

function describeEnd(
  { timedOut, outOfMemory, exitCode, signal }: RunResult,
  { seconds, memoryBytes }: { seconds: number; memoryBytes: number },
): string {
  if (timedOut)
    return `stopped by Fettle after ${seconds} s, the limit for one command: make it do less, or run only a part of it`;
  if (outOfMemory)
    return `ran out of memory${memoryBytes > 0 ? ` (${Math.round(memoryBytes / 1024 ** 2)} MB for one command)` : ''}: make it do less, use fewer workers, or run only a part of it`;
  return exitCode === null ? `no exit code (signal ${signal})` : `exit code ${exitCode}`;
}
