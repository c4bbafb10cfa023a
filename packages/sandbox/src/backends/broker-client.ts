/**
 * HTTP client of the sandbox broker, over a Unix socket or an internal network. The broker is trusted, but its responses
 * are parsed and bounded like any other.
 */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import type { Socket } from 'node:net';
import {
  errorBodySchema,
  FettleError,
  type SandboxEnd,
  type SandboxTool,
  type SandboxUsage,
  type StartSandbox,
  sandboxEndSchema,
  sandboxIdHeader,
  sandboxListSchema,
  sandboxUsageSchema,
  toolboxUpgrade,
} from '@fettle/contract';
import { z } from 'zod';
import { SandboxError, type SandboxErrorCode } from '../protocol/sandbox-error.ts';

const maxResponseBytes = 1024 * 1024;
const responseTimeoutMs = 60_000;
/** Longer than the broker waits for its engine. */
const healthTimeoutMs = 2_900;
/** Longer, because the engine may have to start many sandboxes at once. */
const startTimeoutMs = 120_000;
/** The broker passes the archive on and waits until it is unpacked. */
const toolTimeoutMs = 360_000;

export interface BrokerAddress {
  /** `unix:///path/of/socket` or `http://host:port`. */
  url: string;
  key: string;
}

export interface StartedSandbox {
  id: string;
  /** The toolbox's stream. Each direction can end before the other. */
  stream: Socket;
}

export function startAtBroker(broker: BrokerAddress, start: StartSandbox): Promise<StartedSandbox> {
  const query = new URLSearchParams(
    Object.entries(start)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]): [string, string] => [name, String(value)]),
  );
  return new Promise((resolve, reject) => {
    const startRequest = request({
      ...optionsFor(broker, 'POST', `/v1/sandboxes?${query}`, {
        connection: 'Upgrade',
        upgrade: toolboxUpgrade,
      }),
      agent: false,
    });
    // A timer, because an AbortSignal would also destroy the upgraded stream later.
    const timer = setTimeout(() => startRequest.destroy(new Error('timed out')), startTimeoutMs);
    startRequest.on('close', () => clearTimeout(timer));
    startRequest.on('upgrade', (response, stream: Socket, head) => {
      clearTimeout(timer);
      const id = z.uuid().safeParse(response.headers[sandboxIdHeader]);
      if (!id.success) {
        stream.destroy();
        reject(new SandboxError('start_failed', 'the sandbox broker did not return a sandbox id'));
        return;
      }
      stream.setNoDelay(true);
      stream.setTimeout(0);
      if (head.length > 0) stream.unshift(head);
      resolve({ id: id.data, stream });
    });
    startRequest.on(
      'response',
      (response) => void readResponse(response).then(() => reject(invalidResponse()), reject),
    );
    startRequest.on('error', (error) => reject(unreachable(error)));
    startRequest.end();
  });
}

/** Ends a sandbox and returns how it ended. Undefined when the broker does not know it, as after a restart. */
export async function endAtBroker(broker: BrokerAddress, id: string): Promise<SandboxEnd | undefined> {
  const response = await send(broker, 'DELETE', `/v1/sandboxes/${id}`);
  return response === undefined ? undefined : sandboxEndSchema.parse(response);
}

export async function assignAtBroker(broker: BrokerAddress, id: string, operation: string): Promise<void> {
  await send(broker, 'PUT', `/v1/sandboxes/${id}/operation/${encodeURIComponent(operation)}`);
}

/** Adds a tool to the volume of a sandbox. The file must have the digest. */
export async function addToolAtBroker(
  broker: BrokerAddress,
  {
    id,
    tool,
    archive,
    signal,
  }: { id: string; tool: SandboxTool; archive: string; signal?: AbortSignal | undefined },
): Promise<void> {
  const { size } = await stat(archive);
  const path = `/v1/sandboxes/${id}/tools/${tool.tool}/${tool.version}/${tool.digest}`;
  const limit = AbortSignal.timeout(toolTimeoutMs);
  await new Promise<void>((resolve, reject) => {
    const addRequest = request({
      ...optionsFor(broker, 'PUT', path, { 'content-length': String(size) }),
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      agent: false,
    });
    addRequest.on('response', (response) => void readResponse(response).then(() => resolve(), reject));
    addRequest.on('error', (error) => reject(unreachable(error)));
    const file = createReadStream(archive).on('error', (error) => addRequest.destroy(error));
    addRequest.on('close', () => file.destroy());
    file.pipe(addRequest);
  });
}

export async function readUsageAtBroker(
  broker: BrokerAddress,
  id: string,
): Promise<SandboxUsage | undefined> {
  return sandboxUsageSchema.safeParse(await send(broker, 'GET', `/v1/sandboxes/${id}/usage`)).data;
}

/** Whether the engine enforces the disk limit, or the broker only watches it. */
export async function readDiskLimit(broker: BrokerAddress): Promise<'hard' | 'soft' | undefined> {
  return sandboxListSchema.safeParse(await send(broker, 'GET', '/v1/sandboxes')).data?.diskLimit;
}

/** Why the broker cannot start sandboxes now. Needs no key. */
export async function findBrokerProblem(broker: BrokerAddress): Promise<string | undefined> {
  try {
    const answer = await send(broker, 'GET', '/healthz', healthTimeoutMs);
    return healthSchema.safeParse(answer).success ? undefined : 'the sandbox broker sent an invalid response';
  } catch (error) {
    const { cause } = error as Error;
    if (!(cause instanceof FettleError)) return 'the sandbox broker does not answer';
    return `the sandbox broker cannot start sandboxes: ${cause.message}`;
  }
}

const healthSchema = z.object({ ok: z.literal(true) });

function send(
  broker: BrokerAddress,
  method: string,
  path: string,
  timeoutMs = responseTimeoutMs,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const brokerRequest = request({
      ...optionsFor(broker, method, path),
      signal: AbortSignal.timeout(timeoutMs),
      agent: false,
    });
    brokerRequest.on('response', (response) => {
      if (response.statusCode === 404) response.resume().on('end', () => resolve(undefined));
      else readResponse(response).then(resolve, reject);
    });
    brokerRequest.on('error', (error) => reject(unreachable(error)));
    brokerRequest.end();
  });
}

function optionsFor(
  { url, key }: BrokerAddress,
  method: string,
  path: string,
  headers: Record<string, string> = {},
): RequestOptions {
  const { protocol, hostname, port, pathname } = new URL(url);
  const place =
    protocol === 'unix:' ? { socketPath: pathname } : { host: hostname.replace(/^\[|\]$/g, ''), port };
  return { ...place, method, path, headers: { ...headers, authorization: `Bearer ${key}` } };
}

async function readResponse(response: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += chunk.length;
    if (size > maxResponseBytes) throw invalidResponse();
    chunks.push(chunk);
  }
  let body: unknown;
  try {
    body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw invalidResponse();
  }
  if (response.statusCode === 200) return body;
  const refusal = errorBodySchema.safeParse(body);
  if (!refusal.success) throw new SandboxError(codeOf(response.statusCode), 'the sandbox broker refused');
  const { code, message } = refusal.data.error;
  throw new SandboxError(codeOf(response.statusCode), `the sandbox broker refused: ${message}`, {
    cause: new FettleError(code, message),
  });
}

function codeOf(status: number | undefined): SandboxErrorCode {
  if (status === 429) return 'no_place';
  return status === 503 ? 'unavailable' : 'start_failed';
}

function invalidResponse(): SandboxError {
  return new SandboxError('start_failed', 'the sandbox broker sent an invalid response');
}

/** A connection that fails may work later, unlike one that speaks another protocol. */
function unreachable(cause: NodeJS.ErrnoException): SandboxError {
  const code = cause.code?.startsWith('HPE_') ? 'start_failed' : 'unavailable';
  return new SandboxError(code, `the sandbox broker cannot be reached: ${cause.message}`, { cause });
}
