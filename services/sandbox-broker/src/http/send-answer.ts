import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FettleError } from '@fettle/contract';
import { endConnection } from './end-connection.ts';

interface Answer {
  status: number;
  body: unknown;
  /** The connection is not kept for another request. */
  isLast: boolean;
}

export function send(response: ServerResponse, { status, body, isLast }: Answer): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...(isLast && { connection: 'close' }),
  });
  response.end(text);
}

/** Whoever was refused may be anybody, and does not stay. */
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
