import type { ServerResponse } from 'node:http';
import type { Requests } from '../../protocol/requests.ts';
import { SandboxError } from '../../protocol/sandbox-error.ts';
import type { NextFetchResult, SetFetchWindowResult } from '../../protocol/schemas.ts';
import type { Call } from '../serve.ts';
import type { Toolbox } from '../toolbox.ts';
import { createFetchDesk, type FetchDesk } from './fetch-desk.ts';

/** The servers are started by the first call, since most of what it takes is loading them. */
export async function setFetchWindow(
  toolbox: Toolbox,
  { open, registries }: Requests['setFetchWindow']['params'],
): Promise<SetFetchWindowResult> {
  toolbox.fetching ??= startFetching(registries);
  const { desk, ports } = await toolbox.fetching;
  desk.setOpen(open);
  return { ports };
}

async function startFetching(registries: string[]): Promise<{ desk: FetchDesk; ports: number[] }> {
  // Loaded only where it is needed, with node's own HTTP server.
  const { startLoopbackServer } = await import('./loopback-server.ts');
  const desk = createFetchDesk();
  const ports = await Promise.all(registries.map((registry) => startLoopbackServer(desk, registry)));
  return { desk, ports };
}

export async function nextFetch(
  toolbox: Toolbox,
  { waitMs }: Requests['nextFetch']['params'],
  { signal }: Call,
): Promise<NextFetchResult> {
  const fetching = await toolbox.fetching;
  if (fetching === undefined) throw new SandboxError('bad_request', 'no fetch window was opened');
  return { fetch: await fetching.desk.next(waitMs, signal) };
}

export async function answerFetch(
  toolbox: Toolbox,
  { fetchId, status, headers }: Requests['answerFetch']['params'],
  { input, signal }: Call,
): Promise<object> {
  const fetching = await toolbox.fetching;
  const response = fetching?.desk.take(fetchId);
  if (response === undefined || response.destroyed) throw gone();
  const onAbort = (): void => void response.destroy();
  signal.addEventListener('abort', onAbort);
  try {
    response.writeHead(status, headers);
    for await (const chunk of input) await write(response, chunk);
    response.end();
    return {};
  } catch (error) {
    // A body that was cut short must not look whole.
    response.destroy();
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** No faster than the package manager takes it. */
async function write(response: ServerResponse, chunk: Buffer): Promise<void> {
  if (response.destroyed) throw gone();
  if (response.write(chunk)) return;
  await new Promise<void>((resolve) => {
    const goOn = (): void => {
      response.off('drain', goOn).off('close', goOn);
      resolve();
    };
    response.on('drain', goOn).on('close', goOn);
  });
}

function gone(): SandboxError {
  return new SandboxError('not_found', 'nobody waits for that fetch any more');
}
