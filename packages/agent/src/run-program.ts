import type { ToolContext, ToolResult } from './tool.ts';

/** Runs a command line in the sandbox and tells how it ended in words the model can act on. */
export async function runProgram(
  command: string,
  { sandbox, limits, signal }: ToolContext,
  timeoutSeconds = limits.commandSeconds,
): Promise<ToolResult> {
  const seconds = Math.min(timeoutSeconds, limits.commandSeconds);
  const result = await sandbox.run({
    command,
    timeoutMs: seconds * 1000,
    maxOutputBytes: limits.commandOutputBytes,
    signal,
  });
  signal.throwIfAborted();
  const end = result.timedOut
    ? `ended by Fettle after ${seconds} s, the limit for one command: make it do less, or run a part of it`
    : result.exitCode === 0
      ? 'exit code 0'
      : `exit code ${result.exitCode ?? `none (signal ${result.signal})`}`;
  const text = result.output.trimEnd();
  const dropped =
    result.omittedBytes > 0 ? `; ${result.omittedBytes} bytes of output over the limit are lost` : '';
  return {
    output: `${text}${text ? '\n' : ''}(${end}${dropped})`,
    programMs: result.programMs,
    failed: result.timedOut || result.exitCode !== 0,
  };
}
