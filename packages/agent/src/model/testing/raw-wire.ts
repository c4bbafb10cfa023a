/** A server that sends raw, possibly invalid answers. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type RawAnswer = (response: ServerResponse, request: IncomingMessage) => void;

export function createRawServer() {
  let server: Server | undefined;
  return {
    /** Returns its URL. */
    async listen(answer: RawAnswer): Promise<string> {
      server = createServer((request, response) => {
        request.resume();
        answer(response, request);
      });
      await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    close(): void {
      server?.closeAllConnections();
      server?.close();
    },
  };
}

export function stream(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(body);
}

/** Sends one endless line. */
export function streamOneLine(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const piece = Buffer.alloc(1_000_000, 'x');
  const more = () => {
    while (!response.destroyed && response.write(piece)) {}
    if (!response.destroyed) response.once('drain', more);
  };
  more();
}
