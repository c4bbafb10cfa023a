import { timingSafeEqual } from 'node:crypto';
import { FettleError } from '@fettle/contract';
import type { Database } from '@fettle/database';
import type { FastifyRequest } from 'fastify';
import { hashToken } from './admin-token.ts';

export interface Caller {
  organizationId: string;
  user: { id: string; name: string; email: string | null };
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
  }
}

function bearerToken(request: FastifyRequest): string {
  const [, token] = /^Bearer ([\x21-\x7e]{1,500})$/i.exec(request.headers.authorization ?? '') ?? [];
  if (!token) throw new FettleError('unauthorized', 'the request has no bearer token');
  return token;
}

/** A hook for the routes that people call. */
export function requirePerson(database: Database) {
  return async (request: FastifyRequest): Promise<void> => {
    const found = await database.people.findToken(hashToken(bearerToken(request)));
    if (!found) throw new FettleError('unauthorized', 'the token is unknown or no longer valid');
    request.caller = { organizationId: found.organizationId, user: found.user };
  };
}

/** A hook for the routes that only workers call. */
export function requireWorker(workerKey: string) {
  const expected = Buffer.from(hashToken(workerKey));
  return async (request: FastifyRequest): Promise<void> => {
    if (!timingSafeEqual(Buffer.from(hashToken(bearerToken(request))), expected)) {
      throw new FettleError('unauthorized', 'the token is not the worker key of this installation');
    }
  };
}
