// Carries what package managers ask for out of the sandbox. The toolbox cannot ask the host for anything, so the
// host polls, and only while a window is open.
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
  /** What every command has in its environment; waits while registries are being offered. */
  commandEnvironment(): Promise<Record<string, string>>;
};

export function createFetchRequests(connection: Connection): FetchRequests {
  let registries: string[] | undefined;
  let environment: Promise<Record<string, string>> = Promise.resolve({});
  let isOpen = false;

  async function setWindow(open: boolean, { timeoutMs, signal }: CallOptions = {}): Promise<RegistryOrigins> {
    if (registries === undefined) throw new SandboxError('bad_request', 'no registries were offered');
    const names = registries;
    const { ports } = await connection.request('setFetchWindow', {
      params: { open, registries },
      result: setFetchWindowResultSchema,
      timeoutMs: timeoutMs ?? defaultLimits.fileTimeoutMs,
      signal,
    });
    if (ports.length !== names.length) {
      throw new SandboxError('failed', 'the toolbox offers other registries than it was asked for');
    }
    return Object.fromEntries(names.map((name, at) => [name, `http://127.0.0.1:${ports[at]}`]));
  }

  return {
    commandEnvironment: () => environment,
    async offerRegistries(options) {
      registries = options.registries;
      const offering = setWindow(false, options);
      environment = offering.then(options.environment);
      // The next command says what went wrong.
      environment.catch(() => {});
      await environment;
      return offering;
    },
    async openFetchWindow(options) {
      if (isOpen) throw new SandboxError('bad_request', 'a fetch window is open already');
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
      if (taken > 2 * maxFetches) connection.end(floods(taken));
      const found =
        taken > maxFetches ? refusal(429, `more than ${maxFetches} requests`) : await findAnswer(fetch);
      await sendAnswer(connection, fetch, found, signal);
    }
  }

  /** A bug must not leave a client waiting; it shows when the window is closed. */
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
      // A loop ends with an error only when the sandbox is lost, which its commands say too.
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
  // One that answers with nothing at once, again and again, would keep the host busy.
  if (fetch === null && !signal.aborted && performance.now() - started < waitMs / 2) {
    const error = new SandboxError('malformed', 'the toolbox gave up a poll for fetches too soon');
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
    // The client may have gone away, and a body may break off on its way here; that ends this answer only.
    if (error instanceof SandboxError && error.endsSandbox) throw error;
  }
}

/** Refusals did not stop it, so that it is no package manager that asks. */
function floods(taken: number): SandboxError {
  return new SandboxError('ended', `the sandbox asked for packages ${taken} times in one window`);
}

function refusal(status: number, reason: string): FetchAnswer {
  const body = Buffer.from(JSON.stringify({ error: reason }));
  return { status, headers: { 'content-type': 'application/json' }, body: [body] };
}
