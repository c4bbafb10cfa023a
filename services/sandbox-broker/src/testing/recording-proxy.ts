/** A proxy between the broker and the real engine that records all requests. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { engineAddress } from './on-engine.ts';

export interface Recorded {
  method: string;
  path: string;
  body: string;
}

export async function startRecordingProxy(
  path: string,
  /** Requests whose responses are dropped. */
  { drops = () => false }: { drops?: (asked: IncomingMessage) => boolean } = {},
): Promise<{ address: string; recorded: Recorded[] }> {
  const recorded: Recorded[] = [];
  const engine = new URL(engineAddress);
  const target =
    engine.protocol === 'unix:'
      ? { socketPath: engine.pathname }
      : { host: engine.hostname, port: engine.port || 2375 };

  function forward(asked: IncomingMessage, body: Buffer) {
    const entry = { method: asked.method ?? '', path: asked.url ?? '', body: body.toString('utf8') };
    recorded.push(entry);
    return request({ ...target, method: entry.method, path: entry.path, headers: asked.headers });
  }

  const server = createServer(async (asked: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of asked) chunks.push(chunk);
    const passed = forward(asked, Buffer.concat(chunks));
    passed.on('response', (answer) => {
      if (drops(asked)) {
        response.destroy();
        return;
      }
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    passed.end(Buffer.concat(chunks));
  });
  server.on('upgrade', (asked: IncomingMessage, socket: Socket, head: Buffer) => {
    // The engine drops the body of this request, but what follows it is input of the container.
    const bodyLength = Number(asked.headers['content-length'] ?? 0);
    const passed = forward(asked, Buffer.alloc(0));
    passed.on('upgrade', (answer, upstream: Socket, first: Buffer) => {
      const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`);
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
      socket.write(first);
      upstream.write(head.subarray(bodyLength));
      for (const each of [socket, upstream]) each.on('error', () => each.destroy());
      socket.pipe(upstream);
      upstream.pipe(socket);
    });
    passed.on('error', () => socket.destroy());
    passed.end(head.subarray(0, bodyLength));
  });
  server.listen(path);
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { address: `unix://${path}`, recorded };
}
