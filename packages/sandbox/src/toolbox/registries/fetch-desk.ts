// Where the requests of package managers wait until the host asks for them. Outside of a window none is taken, and
// those that are waiting when it closes are refused.
import type { ServerResponse } from 'node:http';
import type { Fetch } from '../../protocol/schemas.ts';
import { refuse } from './refuse.ts';

export interface FetchDesk {
  isOpen(): boolean;
  setOpen(open: boolean): void;
  /** False when too many are waiting. */
  bring(fetch: Omit<Fetch, 'fetchId'>, response: ServerResponse): boolean;
  /** The next one, or nothing after that time. */
  next(waitMs: number, signal: AbortSignal): Promise<Fetch | null>;
  /** The open response of a fetch that was handed out; each is taken once. */
  take(fetchId: number): ServerResponse | undefined;
}

const maxWaiting = 1000;
const windowClosedMessage =
  'Packages can be had only during set-up and by the tool install_dependencies. Call install_dependencies instead.';

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
    bring(fetch, response) {
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
