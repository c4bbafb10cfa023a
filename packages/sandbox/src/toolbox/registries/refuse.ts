import type { ServerResponse } from 'node:http';

/** In the form that npm shows to its user. A client must not try again: 5xx would make it wait for minutes. */
export function refuse(response: ServerResponse, status: number, reason: string): void {
  if (response.headersSent || response.destroyed) return;
  const body = JSON.stringify({ error: reason });
  const headers: Record<string, string | number> = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  if (status === 405) headers.allow = 'GET, HEAD';
  response.writeHead(status, headers).end(body);
}
