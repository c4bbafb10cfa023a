/**
 * Answers the requests of package managers inside the sandbox. The toolbox cannot send requests to the host, so the host
 * polls for them, and only while a fetch window is open.
 */
import { SandboxError } from '../protocol/sandbox-error.ts';
import {
  type Fetch,
  nextFetchResultSchema,
  nothingSchema,
  setFetchWindowResultSchema,
} from '../protocol/schemas.ts';
import type { Connection } from './connection.ts';
import { defaultLimits } from './limits.ts';
import type { CallOptions, FetchAnswer, FetchWindowOptions, RegistryOrigins, Sandbox } from './sandbox.ts';

type FetchRequests = Pick<Sandbox, 'offerRegistries' | 'openFetchWindow'> & {
  /** The environment of every command. Waits until the registries are set up. */
  commandEnvironment(): Promise<Record<string, string>>;
};

export function createFetchRequests(connection: Connection): FetchRequests {
  let registries: string[] | undefined;
  let environment: Promise<Record<string, string>> = Promise.resolve({});
  let isOpen = false;

  async function setWindow(open: boolean, { timeoutMs, signal }: CallOptions = {}): Promise<RegistryOrigins> {
    if (registries === undefined) throw new SandboxError('bad_request', 'no registries have been offered');
    const names = registries;
    const { ports } = await connection.request('setFetchWindow', {
      params: { open, registries },
      result: setFetchWindowResultSchema,
      timeoutMs: timeoutMs ?? defaultLimits.fileTimeoutMs,
      signal,
    });
    if (ports.length !== names.length) {
      throw new SandboxError('failed', 'the toolbox returned the wrong number of registry ports');
    }
    return Object.fromEntries(names.map((name, at) => [name, `http://127.0.0.1:${ports[at]}`]));
  }

  return {
    commandEnvironment: () => environment,
    async offerRegistries(options) {
      registries = options.registries;
      const offering = setWindow(false, options);
      environment = offering.then(options.environment);
      // The next command fails with this error.
      environment.catch(() => {});
      await environment;
      return offering;
    },
    async openFetchWindow(options) {
      if (isOpen) throw new SandboxError('bad_request', 'a fetch window is already open');
      isOpen = true;
      try {
        await setWindow(true);
      } catch (error) {
        isOpen = false;
        throw error;
      }
      const serving = serveFetches(connection, options);
      return {
        async close() {
          if (!isOpen) return;
          isOpen = false;
          try {
            await serving.stop();
          } finally {
            await setWindow(false);
          }
        },
      };
    },
  };
}

function serveFetches(
  connection: Connection,
  {
    answer,
    atOnce = defaultLimits.fetchesAtOnce,
    maxFetches = defaultLimits.fetchesPerWindow,
  }: FetchWindowOptions,
) {
  const closing = new AbortController();
  const { signal } = closing;
  let taken = 0;
  let failure: unknown;

  async function serveOneByOne(): Promise<void> {
    while (!signal.aborted) {
      const fetch = await nextFetch(connection, signal);
      if (fetch === null || signal.aborted) continue;
      taken += 1;
      if (taken > 2 * maxFetches) connection.end(floodError(taken));
      const found =
        taken > maxFetches ? refusal(429, `more than ${maxFetches} requests`) : await findAnswer(fetch);
      await sendAnswer(connection, fetch, found, signal);
    }
  }

  /** A failure must not leave the client waiting. It is thrown when the window is closed. */
  async function findAnswer(fetch: Fetch): Promise<FetchAnswer> {
    try {
      return await answer(fetch, signal);
    } catch (error) {
      if (!signal.aborted) failure ??= error;
      return refusal(500, 'the worker failed to answer');
    }
  }

  const loops = Promise.allSettled(Array.from({ length: atOnce }, serveOneByOne));
  return {
    async stop(): Promise<void> {
      closing.abort();
      // A loop fails only when the sandbox is lost, and then the commands report that too.
      await loops;
      if (failure !== undefined) throw failure;
    },
  };
}

async function nextFetch(connection: Connection, signal: AbortSignal): Promise<Fetch | null> {
  const waitMs = defaultLimits.fetchPollMs;
  const started = performance.now();
  const { fetch } = await connection.request('nextFetch', {
    params: { waitMs },
    result: nextFetchResultSchema,
    timeoutMs: waitMs + defaultLimits.fileTimeoutMs,
    signal,
  });
  // A toolbox that keeps answering early with nothing would keep the host busy.
  if (fetch === null && !signal.aborted && performance.now() - started < waitMs / 2) {
    const error = new SandboxError('malformed', 'the toolbox ended a poll for fetches too early');
    connection.end(error);
    throw error;
  }
  return fetch;
}

async function sendAnswer(
  connection: Connection,
  { fetchId, method }: Fetch,
  { status, headers, body = [] }: FetchAnswer,
  signal: AbortSignal,
): Promise<void> {
  try {
    await connection.request('answerFetch', {
      params: { fetchId, status, headers },
      result: nothingSchema,
      input: method === 'HEAD' ? [] : body,
      timeoutMs: defaultLimits.fetchAnswerMs,
      signal,
    });
  } catch (error) {
    // The client may have disconnected, or the body may have failed. That affects only this response.
    if (error instanceof SandboxError && error.endsSandbox) throw error;
  }
}

/** A package manager would have stopped after the first refusals. */
function floodError(taken: number): SandboxError {
  return new SandboxError('ended', `the sandbox requested packages ${taken} times in one fetch window`);
}

function refusal(status: number, reason: string): FetchAnswer {
  const body = Buffer.from(JSON.stringify({ error: reason }));
  return { status, headers: { 'content-type': 'application/json' }, body: [body] };
}
