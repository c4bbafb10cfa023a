/** Writes to a client that may be slow or disconnected. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { ApiError } from '../wires/api-error.ts';
import type { Wire } from '../wires/wire.ts';

/** `gone` is aborted when the client disconnects or the server closes. */
export type Exchange = { response: ServerResponse; requestId: string; gone: AbortSignal };

export function sendHead({ response, requestId }: Exchange, status: number, contentType: string): void {
  response.writeHead(status, { 'content-type': contentType, 'request-id': requestId });
}

export function sendError(exchange: Exchange, wire: Wire, error: ApiError): void {
  const { response, requestId } = exchange;
  if (error.retryAfterSeconds !== undefined) response.setHeader('retry-after', `${error.retryAfterSeconds}`);
  sendHead(exchange, error.status, 'application/json');
  response.end(wire.errorBody(error, requestId));
}

/** Resolves when the socket has taken everything. Waits for a client that reads slowly. */
export async function sendChunks({ response, gone }: Exchange, chunks: Iterable<string>): Promise<void> {
  for (const chunk of chunks) {
    gone.throwIfAborted();
    if (!response.write(chunk)) await once(response, 'drain', { signal: gone });
  }
}

export async function sendForEver(exchange: Exchange, chunk: string): Promise<never> {
  for (;;) {
    await sendChunks(exchange, [chunk]);
    await setImmediate(undefined, { signal: exchange.gone }); // a fast reader must not starve the rest
  }
}

export async function holdUntilGone({ gone }: Exchange): Promise<never> {
  if (!gone.aborted) await once(gone, 'abort');
  throw gone.reason;
}

/** Closes the connection after everything that was written has been sent. */
export function breakOff({ response }: Exchange): void {
  response.socket?.destroySoon();
}
