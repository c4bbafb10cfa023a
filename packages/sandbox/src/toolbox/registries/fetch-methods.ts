import type { ServerResponse } from 'node:http';
import type { Requests } from '../../protocol/requests.ts';
import { SandboxError } from '../../protocol/sandbox-error.ts';
import type { NextFetchResult, SetFetchWindowResult } from '../../protocol/schemas.ts';
import type { Call } from '../serve.ts';
import type { Toolbox } from '../toolbox.ts';
import { createFetchDesk, type FetchDesk } from './fetch-desk.ts';

/** The first call starts the servers. Most of its time is for loading their modules. */
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
  // Loaded on demand, together with node:http.
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
  if (fetching === undefined) throw new SandboxError('bad_request', 'no fetch window has been opened');
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
    // An incomplete body must not look complete.
    response.destroy();
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Waits while the package manager reads slowly. */
async function write(response: ServerResponse, chunk: Buffer): Promise<void> {
  if (response.destroyed) throw gone();
  if (response.write(chunk)) return;
  await new Promise<void>((resolve) => {
    const onWritable = (): void => {
      response.off('drain', onWritable).off('close', onWritable);
      resolve();
    };
    response.on('drain', onWritable).on('close', onWritable);
  });
}

function gone(): SandboxError {
  return new SandboxError('not_found', 'the client of this fetch has disconnected');
}
