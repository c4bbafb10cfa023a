/**
 * The queue of package managers' requests, until the host polls for them. While no window is open, requests are refused, and
 * closing a window refuses those that wait.
 */
import type { ServerResponse } from 'node:http';
import type { Fetch } from '../../protocol/schemas.ts';

export interface FetchDesk {
  isOpen(): boolean;
  setOpen(open: boolean): void;
  /** Returns false if too many requests are waiting. */
  add(fetch: Omit<Fetch, 'fetchId'>, response: ServerResponse): boolean;
  /** The next request, or null after `waitMs`. */
  next(waitMs: number, signal: AbortSignal): Promise<Fetch | null>;
  /** The open response of a polled fetch. Can be taken once. */
  take(fetchId: number): ServerResponse | undefined;
}

const maxWaiting = 1000;
const windowClosedMessage =
  'Packages are available only during set-up and to the tool install_dependencies. Call install_dependencies instead.';

export function createFetchDesk(): FetchDesk {
  const responses = new Map<number, ServerResponse>();
  let waiting: Fetch[] = [];
  let wakers: (() => void)[] = [];
  let lastId = 0;
  let open = false;

  function forget(fetchId: number): void {
    responses.delete(fetchId);
    waiting = waiting.filter((fetch) => fetch.fetchId !== fetchId);
  }

  return {
    isOpen: () => open,
    setOpen(value) {
      open = value;
      if (open) return;
      for (const response of responses.values()) refuse(response, 403, windowClosedMessage);
      responses.clear();
      waiting = [];
    },
    add(fetch, response) {
      if (!open) {
        refuse(response, 403, windowClosedMessage);
        return true;
      }
      if (responses.size >= maxWaiting) return false;
      lastId += 1;
      const fetchId = lastId;
      responses.set(fetchId, response);
      response.once('close', () => forget(fetchId));
      waiting.push({ ...fetch, fetchId });
      wakers.shift()?.();
      return true;
    },
    async next(waitMs, signal) {
      if (waiting.length === 0) await waitForOne(waitMs, signal);
      return signal.aborted ? null : (waiting.shift() ?? null);
    },
    take(fetchId) {
      const response = responses.get(fetchId);
      responses.delete(fetchId);
      return response;
    },
  };

  function waitForOne(waitMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        wakers = wakers.filter((waker) => waker !== wake);
        resolve();
      };
      const timer = setTimeout(wake, waitMs);
      signal.addEventListener('abort', wake);
      wakers.push(wake);
      if (signal.aborted) wake();
    });
  }
}

/** Uses the format that npm shows to its user. Never 5xx, because clients would retry for minutes. */
export function refuse(response: ServerResponse, status: number, reason: string): void {
  if (response.headersSent || response.destroyed) return;
  const body = JSON.stringify({ error: reason });
  const headers: Record<string, string | number> = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  if (status === 405) headers.allow = 'GET, HEAD';
  response.writeHead(status, headers).end(body);
}
