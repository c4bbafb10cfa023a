import type { IncomingMessage } from 'node:http';
import {
  FettleError,
  maxToolArchiveBytes,
  type SandboxTool,
  type StartSandbox,
  sandboxToolSchema,
  startSandboxSchema,
  toolboxUpgrade,
} from '@fettle/contract';
import { z } from 'zod';

export function readTarget({ method, url = '' }: IncomingMessage): { method: string | undefined; url: URL } {
  const parsed = URL.parse(url, 'http://broker');
  if (parsed === null || !url.startsWith('/')) throw new FettleError('bad_request', 'the URL is invalid');
  return { method, url: parsed };
}

export function refuseBody({ headers }: IncomingMessage): void {
  if (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0) {
    throw new FettleError('bad_request', 'a request must not have a body');
  }
}

/** The only request with a body. Its length is known, and the HTTP server enforces it. */
export function readTool(request: IncomingMessage, parts: Record<string, string | undefined>): SandboxTool {
  const { tool, version, digest } = parts;
  const parsed = sandboxToolSchema.safeParse({ tool, version, digest });
  if (!parsed.success) throw new FettleError('bad_request', z.prettifyError(parsed.error));
  const length = request.headers['content-length'];
  if (length === undefined || request.headers['transfer-encoding'] !== undefined) {
    throw new FettleError('bad_request', 'the request has no content-length');
  }
  if (Number(length) > maxToolArchiveBytes) throw new FettleError('too_large', 'the archive is too large');
  return parsed.data;
}

/** Call this after authentication. */
export function readStart(request: IncomingMessage): StartSandbox {
  refuseBody(request);
  const { method, url } = readTarget(request);
  if (method !== 'POST' || url.pathname !== '/v1/sandboxes' || request.headers.upgrade !== toolboxUpgrade) {
    throw new FettleError('not_found', 'unknown request');
  }
  const pairs = [...url.searchParams];
  const query = Object.fromEntries(pairs);
  if (Object.keys(query).length !== pairs.length)
    throw new FettleError('bad_request', 'a field is set twice');
  const parsed = startSandboxSchema.safeParse(query);
  if (!parsed.success) throw new FettleError('bad_request', z.prettifyError(parsed.error));
  return parsed.data;
}
