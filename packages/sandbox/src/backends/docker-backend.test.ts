/**
 * How the worker handles a broker that refuses, lies or is missing. The fake broker speaks HTTP over a real socket; the real
 * broker with a real engine is tested in services/sandbox-broker.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { sandboxIdHeader } from '@fettle/contract';
import { expect, onTestFinished, test } from 'vitest';
import { makeTemporaryFolder } from '../testing/test-sandbox.ts';
import { startDockerToolbox } from './docker-backend.ts';

const key = 'a-key-of-the-broker';
const id = '11111111-2222-4333-8444-555555555555';

interface Behaviour {
  /** The raw response to a start. */
  start: string;
  /** The toolbox's output. */
  output?: string;
  end?: unknown;
}

async function startFakeBroker({ start, output, end }: Behaviour) {
  const requests: { line: string; authorization: string | undefined }[] = [];
  const record = ({ method, url, headers }: IncomingMessage): void =>
    void requests.push({ line: `${method} ${url}`, authorization: headers.authorization });
  const server = createServer((request, response) => {
    record(request);
    response.end(JSON.stringify(end));
  });
  server.on('upgrade', (request: IncomingMessage, socket: Socket) => {
    record(request);
    socket.on('error', () => {});
    socket.write(start);
    if (output !== undefined) socket.end(output);
  });
  const path = join(makeTemporaryFolder(), 'socket');
  server.listen(path);
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { broker: { url: `unix://${path}`, key }, requests };
}

const accepted = (header: string): string =>
  `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: fettle-toolbox\r\n${header}\r\n\r\n`;

function refusal(status: number, body: string): string {
  return `HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

test('sends the key, passes the stream on, and reports how it ended', async () => {
  const usage = { cpuMs: 5, memoryPeakBytes: 6, ioBytes: 7, pids: 8 };
  const { broker, requests } = await startFakeBroker({
    start: accepted(`${sandboxIdHeader}: ${id}`),
    output: 'hello',
    end: { reason: 'exited', exitCode: 137, outOfMemory: true, errorOutput: 'oops\n', usage },
  });
  const toolbox = await startDockerToolbox({ broker, operationId: 'op-1', owner: 'me', image: 'an:image' });
  const chunks = await toolbox.output.toArray();
  expect(Buffer.concat(chunks).toString()).toBe('hello');
  expect(toolbox.errorOutput()).toBe('the toolbox ended with 137, after running out of memory: oops');
  expect(await toolbox.usage?.()).toEqual(usage);
  await toolbox.stop({ graceMs: 0 });
  expect(requests).toEqual([
    { line: 'POST /v1/sandboxes?image=an%3Aimage&operation=op-1&owner=me', authorization: `Bearer ${key}` },
    { line: `DELETE /v1/sandboxes/${id}`, authorization: `Bearer ${key}` },
  ]);
});

test.each<[string, string, RegExp]>([
  [
    'a refusal',
    refusal(
      403,
      JSON.stringify({ error: { code: 'forbidden', message: 'this image is not allowed', advice: 'x' } }),
    ),
    /the sandbox broker refused: this image is not allowed/,
  ],
  ['an unknown refusal', refusal(500, '{"oops":1}'), /the sandbox broker refused/],
  ['no JSON', refusal(502, '<html>'), /sent an invalid response/],
  ['an endless response', refusal(500, 'x'.repeat(2_000_000)), /sent an invalid response/],
  ['a start without an id', accepted('x: y'), /did not return a sandbox id/],
  ['a start with an invalid id', accepted(`${sandboxIdHeader}: ../../x`), /did not return a sandbox id/],
  ['a response that is not HTTP', 'SSH-2.0-OpenSSH\r\n\r\n', /the sandbox broker cannot be reached/],
])('%s is a failed start', async (_name, start, message) => {
  const { broker } = await startFakeBroker({ start });
  const error = await startDockerToolbox({ broker }).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'start_failed', message: expect.stringMatching(message) });
  expect((error as Error).message).not.toContain(key);
});

test('a missing broker is reported', async () => {
  const broker = { url: `unix://${join(makeTemporaryFolder(), 'nothing')}`, key };
  await expect(startDockerToolbox({ broker })).rejects.toThrow(
    /the sandbox broker cannot be reached: .*ENOENT/,
  );
});

test('when the broker dies, the stream ends and stop() does not fail', async () => {
  const { broker } = await startFakeBroker({
    start: accepted(`${sandboxIdHeader}: ${id}`),
    output: '',
    end: 'nonsense',
  });
  const toolbox = await startDockerToolbox({ broker });
  await once(toolbox.output.resume(), 'end');
  expect(toolbox.errorOutput()).toBe('');
  await toolbox.stop({ graceMs: 0 });
});
