import type { IncomingMessage } from 'node:http';
import { nowMs } from '../journal.ts';

const maxBodyBytes = 64 * 1024 * 1024;

type Body =
  | { ok: true; bytes: number; receivedAtMs: number; json: unknown }
  | { ok: false; status: 400 | 413; reason: string };

const tooLarge: Body = { ok: false, status: 413, reason: 'Request exceeds the maximum size' };

export async function readBody(request: IncomingMessage): Promise<Body> {
  if (Number(request.headers['content-length']) > maxBodyBytes) return tooLarge;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) return tooLarge;
    chunks.push(chunk);
  }
  // Before the body is parsed: parsing time is not the client's.
  const receivedAtMs = nowMs();
  try {
    return { ok: true, bytes, receivedAtMs, json: JSON.parse(Buffer.concat(chunks).toString('utf8')) };
  } catch (error) {
    return { ok: false, status: 400, reason: `The request body is not valid JSON: ${error}` };
  }
}
