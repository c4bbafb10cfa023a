// What the worker's side makes of a broker that refuses, lies or is not there. The stand-in speaks HTTP over a real socket;
// the real broker with a real engine is tested in services/sandbox-broker.
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
  /** What comes back on a start, as it is. */
  start: string;
  /** What the toolbox says before it ends. */
  output?: string;
  end?: unknown;
}

async function startStandIn({ start, output, end }: Behaviour) {
  const asked: { line: string; authorization: string | undefined }[] = [];
  const note = ({ method, url, headers }: IncomingMessage): void =>
    void asked.push({ line: `${method} ${url}`, authorization: headers.authorization });
  const server = createServer((request, response) => {
    note(request);
    response.end(JSON.stringify(end));
  });
  server.on('upgrade', (request: IncomingMessage, socket: Socket) => {
    note(request);
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
  return { broker: { url: `unix://${path}`, key }, asked };
}

const accepted = (header: string): string =>
  `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: fettle-toolbox\r\n${header}\r\n\r\n`;

function refusal(status: number, body: string): string {
  return `HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

test('asks with the key, hands the stream over, and says how it ended', async () => {
  const usage = { cpuMs: 5, memoryPeakBytes: 6, ioBytes: 7, pids: 8 };
  const { broker, asked } = await startStandIn({
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
  expect(asked).toEqual([
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
  ['a refusal in other words', refusal(500, '{"oops":1}'), /the sandbox broker refused/],
  ['no JSON', refusal(502, '<html>'), /an answer that is none of ours/],
  ['an answer without end', refusal(500, 'x'.repeat(2_000_000)), /an answer that is none of ours/],
  ['a start without a name', accepted('x: y'), /did not say which sandbox/],
  ['a start with a strange name', accepted(`${sandboxIdHeader}: ../../x`), /did not say which sandbox/],
  ['what is not HTTP', 'SSH-2.0-OpenSSH\r\n\r\n', /the sandbox broker does not answer/],
])('%s is a start that failed', async (_name, start, message) => {
  const { broker } = await startStandIn({ start });
  const error = await startDockerToolbox({ broker }).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'start_failed', message: expect.stringMatching(message) });
  expect((error as Error).message).not.toContain(key);
});

test('a broker that is not there is named', async () => {
  const broker = { url: `unix://${join(makeTemporaryFolder(), 'nothing')}`, key };
  await expect(startDockerToolbox({ broker })).rejects.toThrow(
    /the sandbox broker does not answer: .*ENOENT/,
  );
});

test('when the broker is lost in the middle, the stream ends and stopping does not fail', async () => {
  const { broker } = await startStandIn({
    start: accepted(`${sandboxIdHeader}: ${id}`),
    output: '',
    end: 'nonsense',
  });
  const toolbox = await startDockerToolbox({ broker });
  await once(toolbox.output.resume(), 'end');
  expect(toolbox.errorOutput()).toBe('');
  await toolbox.stop({ graceMs: 0 });
});
