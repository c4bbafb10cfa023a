import type { IncomingMessage } from 'node:http';
import { nowMs } from '../journal.ts';

const MAX_BODY_BYTES = 64 * 1024 * 1024;

type Body =
  | { ok: true; bytes: number; receivedAtMs: number; json: unknown }
  | { ok: false; status: 400 | 413; reason: string };

const TOO_LARGE: Body = { ok: false, status: 413, reason: 'Request exceeds the maximum size' };

export async function readBody(request: IncomingMessage): Promise<Body> {
  if (Number(request.headers['content-length']) > MAX_BODY_BYTES) return TOO_LARGE;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return TOO_LARGE;
    chunks.push(chunk);
  }
  // Before it is parsed: how long that takes is nothing of the client's.
  const receivedAtMs = nowMs();
  try {
    return { ok: true, bytes, receivedAtMs, json: JSON.parse(Buffer.concat(chunks).toString('utf8')) };
  } catch (error) {
    return { ok: false, status: 400, reason: `The request body is not valid JSON: ${error}` };
  }
}
