// From a started toolbox to a sandbox: waits for the hello, and sees to it that the end is clean however it comes.

import type { StartedToolbox } from '../backends/backend.ts';
import { SandboxError } from '../protocol/sandbox-error.ts';
import { createConnection } from './connection.ts';
import { createFetchRequests } from './fetch-requests.ts';
import { createFileRequests } from './file-requests.ts';
import { defaultLimits } from './limits.ts';
import { run } from './run-request.ts';
import type { Sandbox } from './sandbox.ts';
import { createTreeRequests } from './tree-requests.ts';

export interface OpenOptions {
  backend: string;
  warning: string | undefined;
  helloTimeoutMs?: number;
}

export async function openSandbox(toolbox: StartedToolbox, options: OpenOptions): Promise<Sandbox> {
  const connection = createConnection({
    input: toolbox.input,
    output: toolbox.output,
    helloTimeoutMs: options.helloTimeoutMs ?? defaultLimits.helloTimeoutMs,
    errorOutput: toolbox.errorOutput,
    // A toolbox that broke the protocol gets no time to end by itself.
    onFailure: () => void stop({ graceMs: 0 }),
  });
  let stopped: Promise<void> | undefined;
  function stop({ graceMs }: { graceMs: number }): Promise<void> {
    stopped ??= toolbox.stop({ graceMs });
    // Failing to clean up must not hide the error that led here; close() reports it.
    stopped.catch(() => {});
    return stopped;
  }

  const hello = await connection.hello.catch(async (error: SandboxError) => {
    await stop({ graceMs: 0 });
    throw explainStart(error, toolbox.errorOutput().trim());
  });
  const { commandEnvironment, ...fetchRequests } = createFetchRequests(connection);
  return {
    id: toolbox.id,
    backend: options.backend,
    warning: options.warning,
    hello,
    ...createTreeRequests(connection),
    ...createFileRequests(connection),
    usage: async () => toolbox.usage?.(),
    assign: async (operationId) => toolbox.assign?.(operationId),
    ...fetchRequests,
    async run(runOptions) {
      const env = { ...(await commandEnvironment()), ...runOptions.env };
      return run(connection, { ...runOptions, env });
    },
    async close() {
      connection.end(new SandboxError('ended', 'the sandbox was closed'));
      await stop({ graceMs: defaultLimits.closeTimeoutMs });
    },
  };
}

function explainStart(error: SandboxError, errorOutput: string): SandboxError {
  if (error.code === 'wrong_protocol' || error.code === 'malformed') return error;
  // What it said may have come after the end of its stream.
  const detail = error.message.includes(errorOutput) ? error.message : `${error.message}: ${errorOutput}`;
  return new SandboxError('start_failed', `the sandbox did not start: ${detail}`, { cause: error });
}
