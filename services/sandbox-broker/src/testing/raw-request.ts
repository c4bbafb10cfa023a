import { connect } from 'node:net';
import type { BrokerAddress } from '@fettle/sandbox';

const responseTimeoutMs = 10_000;

/** Sends raw bytes and returns the response, complete or its first piece. */
export function sendRaw(
  { url }: BrokerAddress,
  bytes: Buffer | string,
  { until }: { until: 'end' | 'answer' } = { until: 'end' },
): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(new URL(url).pathname);
    const chunks: Buffer[] = [];
    const timer = setTimeout(() => socket.destroy(), responseTimeoutMs);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      if (until === 'answer') socket.destroy();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks).toString('latin1'));
    });
    // An incomplete request gets no response, so do not wait for one.
    if (until === 'answer') socket.end(bytes);
    else socket.write(bytes);
  });
}

export interface RawRequest {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export function format({ method, path, headers = {}, body = '' }: RawRequest): string {
  const all: Record<string, string> = { host: 'broker', connection: 'close', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
}
