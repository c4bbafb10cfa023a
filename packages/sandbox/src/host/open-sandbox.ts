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
  /** Where commands find tools. Undefined if the backend has only those of its image. */
  places?: ToolPlaces | undefined;
}

export interface ToolPlaces {
  /** The folder with one folder for each tool. */
  tools: string;
  /** The folder of Fettle's own Node. */
  ownNode: string;
  /** The PATH of commands without tools. */
  searchPath: string;
}

export async function openSandbox(toolbox: StartedToolbox, options: OpenOptions): Promise<Sandbox> {
  const connection = createConnection({
    input: toolbox.input,
    output: toolbox.output,
    helloTimeoutMs: options.helloTimeoutMs ?? defaultLimits.helloTimeoutMs,
    errorOutput: toolbox.errorOutput,
    findEnd: toolbox.findEnd && (async () => (await toolbox.findEnd?.()) ?? 'toolbox_ended'),
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
  const { places } = options;
  let toolEnvironment: Record<string, string> = {};
  return {
    id: toolbox.id,
    backend: options.backend,
    warning: options.warning,
    hello,
    hasEnded: connection.hasEnded,
    ...createTreeRequests(connection),
    ...createFileRequests(connection),
    usage: async () => toolbox.usage?.(),
    assign: async (operationId) => toolbox.assign?.(operationId),
    ...fetchRequests,
    ...(places && {
      useTools(names: string[]) {
        const folders = names.map((name) => `${places.tools}/${name}/bin`);
        toolEnvironment = { PATH: [...folders, places.ownNode, places.searchPath].join(':') };
      },
    }),
    async run(runOptions) {
      const env = { ...toolEnvironment, ...(await commandEnvironment()), ...runOptions.env };
      const killedBefore = await toolbox.oomKills?.();
      const result = await run(connection, { ...runOptions, env });
      if (killedBefore === undefined || result.exitCode === 0) return result;
      const killed = ((await toolbox.oomKills?.()) ?? 0) > killedBefore;
      return killed ? { ...result, outOfMemory: true } : result;
    },
    async close() {
      connection.end(new SandboxError('ended', 'the sandbox was closed'));
      await stop({ graceMs: defaultLimits.closeTimeoutMs });
    },
  };
}

function explainStart(error: SandboxError, errorOutput: string): SandboxError {
  if (['wrong_protocol', 'malformed', 'unavailable'].includes(error.code)) return error;
  // Its standard error may have arrived after the end of its stream.
  const detail = error.message.includes(errorOutput) ? error.message : `${error.message}: ${errorOutput}`;
  return new SandboxError('start_failed', `the sandbox did not start: ${detail}`, { cause: error });
}
