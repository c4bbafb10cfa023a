// Requests to the sandbox broker, by Unix socket or by an internal network. The broker is trusted; its answers are parsed
// and bounded all the same.
import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import type { Socket } from 'node:net';
import {
  errorBodySchema,
  type SandboxEnd,
  type SandboxUsage,
  type StartSandbox,
  sandboxEndSchema,
  sandboxIdHeader,
  sandboxListSchema,
  sandboxUsageSchema,
  toolboxUpgrade,
} from '@fettle/contract';
import { z } from 'zod';
import { SandboxError } from '../protocol/sandbox-error.ts';

const maxAnswerBytes = 1024 * 1024;
const answerLimitMs = 60_000;
/** The engine may be asked for many sandboxes at once. */
const startLimitMs = 120_000;

export interface BrokerAddress {
  /** `unix:///path/of/socket` or `http://host:port`. */
  url: string;
  key: string;
}

export interface StartedSandbox {
  id: string;
  /** Both directions of the toolbox's stream; each ends by itself. */
  stream: Socket;
}

export function startAtBroker(broker: BrokerAddress, start: StartSandbox): Promise<StartedSandbox> {
  const query = new URLSearchParams(
    Object.entries(start)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]): [string, string] => [name, String(value)]),
  );
  return new Promise((resolve, reject) => {
    const asked = request({
      ...optionsFor(broker, 'POST', `/v1/sandboxes?${query}`, {
        connection: 'Upgrade',
        upgrade: toolboxUpgrade,
      }),
      agent: false,
    });
    // Not by a signal, which would also end the stream that comes of it.
    const limit = setTimeout(() => asked.destroy(new Error('it took too long')), startLimitMs);
    asked.on('close', () => clearTimeout(limit));
    asked.on('upgrade', (response, stream: Socket, head) => {
      clearTimeout(limit);
      const id = z.uuid().safeParse(response.headers[sandboxIdHeader]);
      if (!id.success) {
        stream.destroy();
        reject(new SandboxError('start_failed', 'the broker did not say which sandbox it started'));
        return;
      }
      stream.setNoDelay(true);
      stream.setTimeout(0);
      if (head.length > 0) stream.unshift(head);
      resolve({ id: id.data, stream });
    });
    asked.on('response', (response) => void readAnswer(response).then(() => reject(unreadable()), reject));
    asked.on('error', (error) => reject(unreachable(error)));
    asked.end();
  });
}

/** Ends a sandbox and says how it ended; undefined when the broker has forgotten it, as after a restart. */
export async function endAtBroker(broker: BrokerAddress, id: string): Promise<SandboxEnd | undefined> {
  const answer = await ask(broker, 'DELETE', `/v1/sandboxes/${id}`);
  return answer === undefined ? undefined : sandboxEndSchema.parse(answer);
}

export async function assignAtBroker(broker: BrokerAddress, id: string, operation: string): Promise<void> {
  await ask(broker, 'PUT', `/v1/sandboxes/${id}/operation/${encodeURIComponent(operation)}`);
}

export async function readUsageAtBroker(
  broker: BrokerAddress,
  id: string,
): Promise<SandboxUsage | undefined> {
  return sandboxUsageSchema.safeParse(await ask(broker, 'GET', `/v1/sandboxes/${id}/usage`)).data;
}

/** Undefined where the broker does not know it, or not yet. */
export async function askWhetherHiddenCounts(
  broker: BrokerAddress,
  id: string | undefined,
): Promise<boolean | undefined> {
  const list = sandboxListSchema.safeParse(await ask(broker, 'GET', '/v1/sandboxes')).data;
  return list?.sandboxes.find((sandbox) => sandbox.id === id)?.countsHiddenFiles;
}

function ask(broker: BrokerAddress, method: string, path: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const asked = request({
      ...optionsFor(broker, method, path),
      signal: AbortSignal.timeout(answerLimitMs),
      agent: false,
    });
    asked.on('response', (response) => {
      if (response.statusCode === 404) response.resume().on('end', () => resolve(undefined));
      else readAnswer(response).then(resolve, reject);
    });
    asked.on('error', (error) => reject(unreachable(error)));
    asked.end();
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

async function readAnswer(response: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += chunk.length;
    if (size > maxAnswerBytes) throw unreadable();
    chunks.push(chunk);
  }
  let body: unknown;
  try {
    body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw unreadable();
  }
  if (response.statusCode === 200) return body;
  const refusal = errorBodySchema.safeParse(body);
  throw new SandboxError(
    response.statusCode === 429 ? 'no_place' : 'start_failed',
    refusal.success
      ? `the sandbox broker refused: ${refusal.data.error.message}`
      : 'the sandbox broker refused',
  );
}

function unreadable(): SandboxError {
  return new SandboxError('start_failed', 'the sandbox broker gave an answer that is none of ours');
}

function unreachable(cause: Error): SandboxError {
  return new SandboxError('start_failed', `the sandbox broker does not answer: ${cause.message}`, { cause });
}
