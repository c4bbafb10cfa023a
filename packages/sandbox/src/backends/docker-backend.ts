// One container per sandbox, through the broker: this side never speaks with the engine.
import { PassThrough } from 'node:stream';
import { type SandboxEnd, sandboxEnds } from '@fettle/contract';
import { openSandbox } from '../host/open-sandbox.ts';
import { SandboxError } from '../protocol/sandbox-error.ts';
import type { Backend, BackendOptions, StartedToolbox } from './backend.ts';
import {
  assignAtBroker,
  type BrokerAddress,
  endAtBroker,
  readUsageAtBroker,
  type StartedSandbox,
  startAtBroker,
} from './broker-client.ts';

export function openDocker({ broker, brokerMissing, owner }: BackendOptions): Backend {
  if (broker === undefined)
    throw new SandboxError('start_failed', brokerMissing ?? 'no sandbox broker is named (FETTLE_BROKER_URL)');
  return {
    name: 'docker',
    warning: undefined,
    async start({ warmUpAfterMs, operationId } = {}) {
      const toolbox = await startDockerToolbox({ broker, owner, operationId, warmUpAfterMs });
      return openSandbox(toolbox, { backend: 'docker', warning: undefined });
    },
    // The broker does that, for all its callers.
    clearLeftovers: async () => [],
  };
}

export interface DockerBackendOptions {
  broker: BrokerAddress;
  /** One that the broker allows; its default where none is named. */
  image?: string | undefined;
  operationId?: string | undefined;
  owner?: string | undefined;
  warmUpAfterMs?: number | undefined;
}

export async function startDockerToolbox(options: DockerBackendOptions): Promise<StartedToolbox> {
  const { broker, image, operationId, owner, warmUpAfterMs } = options;
  const started = await startAtBroker(broker, { image, operation: operationId, owner, warmUpAfterMs });
  return handOver(broker, started);
}

function handOver(broker: BrokerAddress, { id, stream }: StartedSandbox): StartedToolbox {
  let ended: Promise<void> | undefined;
  let end: SandboxEnd | undefined;
  /** The end is asked for once; by then the broker has removed the container and its volume. */
  function finish(): Promise<void> {
    ended ??= endAtBroker(broker, id).then(
      (answer) => {
        end = answer;
      },
      (error) => {
        // A broker that is gone ended the stream with it, and clears away what it left when it is back.
        if (!stream.readableEnded && !stream.destroyed) throw error;
      },
    );
    return ended;
  }

  const output = new PassThrough();
  stream.on('error', () => stream.destroy());
  stream.pipe(output, { end: false });
  // Whoever sees the end of the output asks at once why, so the answer is fetched first.
  for (const event of ['end', 'close']) {
    stream.once(event, () => void finish().finally(() => output.end()));
  }

  return {
    id,
    input: stream,
    output,
    errorOutput: () => (end === undefined ? '' : describe(end)),
    async stop() {
      // The container's end is the end of everything in it; there is nothing to wait for.
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

function describe({ reason, exitCode, outOfMemory, errorOutput }: SandboxEnd): string {
  const status = exitCode === undefined ? '' : ` with ${exitCode}`;
  const memory = outOfMemory ? ', after running out of memory' : '';
  const said = errorOutput.trim();
  return `${sandboxEnds[reason]}${status}${memory}${said === '' ? '' : `: ${said}`}`;
}
