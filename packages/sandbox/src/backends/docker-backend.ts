/** One container per sandbox, started by the broker. The worker itself never talks to the container engine. */
import { PassThrough } from 'node:stream';
import { type SandboxEnd, type SandboxEndReason, type SandboxTool, sandboxEnds } from '@fettle/contract';
import { openSandbox, type ToolPlaces } from '../host/open-sandbox.ts';
import type { Sandbox } from '../host/sandbox.ts';
import { SandboxError } from '../protocol/sandbox-error.ts';
import type { Backend, BackendOptions, StartedToolbox } from './backend.ts';
import {
  addToolAtBroker,
  assignAtBroker,
  type BrokerAddress,
  endAtBroker,
  findBrokerProblem,
  readUsageAtBroker,
  type StartedSandbox,
  startAtBroker,
} from './broker-client.ts';
import { systemSearchPath } from './bubblewrap/arguments.ts';

export function openDocker({ broker, brokerMissing, owner }: BackendOptions): Backend {
  if (broker === undefined)
    throw new SandboxError('start_failed', brokerMissing ?? 'FETTLE_BROKER_URL is not set');
  return {
    name: 'docker',
    warning: undefined,
    async start({ warmUpAfterMs, operationId } = {}) {
      const toolbox = await startDockerToolbox({ broker, owner, operationId, warmUpAfterMs });
      const places = { ...imagePlaces };
      const sandbox = await openSandbox(toolbox, { backend: 'docker', warning: undefined, places });
      return withToolStore(sandbox, broker, places);
    },
    findProblem: () => findBrokerProblem(broker),
    // The broker removes the leftovers of all its callers.
    clearLeftovers: async () => [],
  };
}

/** The folders of infra/images/sandbox.Dockerfile. */
const imagePlaces: ToolPlaces = {
  tools: '/opt/fettle/tools',
  ownNode: '/opt/fettle/bin',
  searchPath: systemSearchPath,
};

const lookTimeoutMs = 30_000;

/** The tools of a container are in a volume that only the broker fills. */
function withToolStore(sandbox: Sandbox, broker: BrokerAddress, places: ToolPlaces): Sandbox {
  const { id } = sandbox;
  if (id === undefined) return sandbox;
  let isKnown = false;
  return Object.assign(sandbox, {
    toolStore: {
      async look(signal?: AbortSignal) {
        const command = `uname -m; printenv PATH; ls -1 ${places.tools}`;
        const { output } = await sandbox.run({ command, timeoutMs: lookTimeoutMs, signal });
        const [machine = '', path = '', ...folders] = output.split('\n');
        // An image may have more programs, in places of its own.
        if (!isKnown && path.startsWith('/')) places.searchPath = path;
        isKnown = true;
        return { machine, folders: folders.filter((name) => name !== '') };
      },
      add: (tool: SandboxTool, archive: string, signal?: AbortSignal) =>
        addToolAtBroker(broker, { id, tool, archive, signal }),
    },
  });
}

export interface DockerBackendOptions {
  broker: BrokerAddress;
  /** Must be on the broker's list of allowed images. Default: the broker's default. */
  image?: string | undefined;
  operationId?: string | undefined;
  owner?: string | undefined;
  warmUpAfterMs?: number | undefined;
}

export async function startDockerToolbox(options: DockerBackendOptions): Promise<StartedToolbox> {
  const { broker, image, operationId, owner, warmUpAfterMs } = options;
  const started = await startAtBroker(broker, { image, operation: operationId, owner, warmUpAfterMs });
  return wrapStream(broker, started);
}

function wrapStream(broker: BrokerAddress, { id, stream }: StartedSandbox): StartedToolbox {
  let ended: Promise<void> | undefined;
  let end: SandboxEnd | undefined;
  /** Sent once. When it resolves, the broker has removed the container and its volume. */
  function finish(): Promise<void> {
    ended ??= endAtBroker(broker, id).then(
      (answer) => {
        end = answer;
      },
      (error) => {
        // If the broker has died, the stream has ended too. The next broker removes the container.
        if (!stream.readableEnded && !stream.destroyed) throw error;
      },
    );
    return ended;
  }

  const output = new PassThrough();
  stream.on('error', () => stream.destroy());
  stream.pipe(output, { end: false });
  // Readers ask for the reason as soon as the output ends, so fetch it first.
  for (const event of ['end', 'close']) {
    stream.once(event, () => void finish().finally(() => output.end()));
  }

  return {
    id,
    input: stream,
    output,
    errorOutput: () => (end === undefined ? '' : describe(end)),
    async findEnd() {
      await finish().catch(() => {});
      // A broker that does not know the sandbox, or does not answer, was killed. The sandbox ended with it.
      return end === undefined || endsOfBroker.includes(end.reason) ? 'broker_away' : 'toolbox_ended';
    },
    async stop() {
      // No grace period: removing the container kills everything in it.
      try {
        await finish();
      } finally {
        stream.destroy();
        output.destroy();
      }
    },
    async usage() {
      return end === undefined ? readUsageAtBroker(broker, id) : end.usage;
    },
    assign: (operationId) => assignAtBroker(broker, id, operationId),
  };
}

/** Neither the sandbox nor what ran in it caused these ends. */
const endsOfBroker: SandboxEndReason[] = ['abandoned', 'broker_stopped', 'engine_away'];

function describe({ reason, exitCode, outOfMemory, errorOutput }: SandboxEnd): string {
  const status = exitCode === undefined ? '' : ` with ${exitCode}`;
  const memory = outOfMemory ? ', after running out of memory' : '';
  const stderr = errorOutput.trim();
  return `${sandboxEnds[reason]}${status}${memory}${stderr === '' ? '' : `: ${stderr}`}`;
}
