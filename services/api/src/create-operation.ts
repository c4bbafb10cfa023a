import { createHash } from 'node:crypto';
import { FettleError, type Operation, type Request } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import type { Parts } from './app.ts';
import type { Caller } from './authentication.ts';

export interface Creation {
  caller: Caller;
  request: Request;
  idempotencyKey: string | undefined;
}

/** From a request to a queued operation: find the repository, store both in one transaction, wake a worker. */
export async function createOperation(
  { database, forge, outbox }: Parts,
  { caller, request, idempotencyKey }: Creation,
): Promise<{ operation: Operation; created: boolean }> {
  const found = await forge.resolve(request.repository);
  if (!found) {
    throw new FettleError(
      'bad_request',
      'this is neither a path nor an address nor a name of a repository',
      'repository',
    );
  }
  const repository = await database.repositories.ensure({ organizationId: caller.organizationId, ...found });
  const result = await database.operations.create({
    organizationId: caller.organizationId,
    repositoryId: repository.id,
    requestedBy: caller.user.id,
    request,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    requestHash: createHash('sha256').update(JSON.stringify(request)).digest('hex'),
  });
  crashPoint('created');
  await outbox.flush();
  return result;
}
