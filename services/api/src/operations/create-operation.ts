import { createHash } from 'node:crypto';
import { FettleError, type Operation, type Request } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import type { Caller } from '../auth/authentication.ts';
import type { Dependencies } from '../dependencies.ts';

export interface Creation {
  caller: Caller;
  request: Request;
  idempotencyKey: string | undefined;
}

/** Finds the repository, stores the operation and its job in one transaction, and wakes a worker. */
export async function createOperation(
  { database, forge, outbox }: Dependencies,
  { caller, request, idempotencyKey }: Creation,
): Promise<{ operation: Operation; created: boolean }> {
  const { organizationId } = caller;
  if (request.planApproval && request.kind !== 'implement') {
    const message = `planApproval: only implement supports plans, and the kind is ${request.kind}`;
    throw new FettleError('not_for_this_kind', message, 'planApproval');
  }
  const requestHash = createHash('sha256').update(JSON.stringify(request)).digest('hex');
  const asked = { organizationId, request, requestHash, idempotencyKey };
  // First, because the repository may be unreachable now.
  const earlier = await database.operations.findEarlier(asked);
  if (earlier) return { operation: earlier, created: false };
  const found = await forge.resolve(request.repository);
  if (!found) {
    throw new FettleError(
      'bad_request',
      `'${request.repository.slice(0, 200)}' is not a path, a URL or owner/name`,
      'repository',
    );
  }
  const repository = await database.repositories.ensure({ organizationId, ...found });
  const result = await database.operations.create({
    ...asked,
    repositoryId: repository.id,
    requestedBy: caller.user.id,
  });
  crashPoint('created');
  await outbox.flush();
  return result;
}
