import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FettleError } from '@fettle/contract';
import { endConnection } from './connections.ts';

interface Response {
  status: number;
  body: unknown;
  /** Close the connection after this response. */
  isLast: boolean;
}

export function send(response: ServerResponse, { status, body, isLast }: Response): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...(isLast && { connection: 'close' }),
  });
  response.end(text);
}

/** Closes the connection: a refused caller may be unauthenticated. */
export function refuseUpgrade(socket: Socket, refusal: FettleError): void {
  const text = JSON.stringify(refusal.toBody());
  const head = [
    `HTTP/1.1 ${refusal.status} Refused`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${text}`);
  endConnection(socket);
}
