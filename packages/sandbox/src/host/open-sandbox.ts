/** Turns a started toolbox into a sandbox: waits for its hello, and stops it cleanly however it ends. */
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
    // No grace period for a toolbox that broke the protocol.
    onFailure: () => void stop({ graceMs: 0 }),
  });
  let stopped: Promise<void> | undefined;
  function stop({ graceMs }: { graceMs: number }): Promise<void> {
    stopped ??= toolbox.stop({ graceMs });
    // A failed cleanup must not hide the original error. close() reports it.
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
  // Its standard error may have arrived after the end of its stream.
  const detail = error.message.includes(errorOutput) ? error.message : `${error.message}: ${errorOutput}`;
  return new SandboxError('start_failed', `the sandbox did not start: ${detail}`, { cause: error });
}
