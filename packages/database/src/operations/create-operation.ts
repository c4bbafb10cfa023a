import { FettleError, newId, type Operation, type Request } from '@fettle/contract';
import { type Client, type Transaction, toJson } from '../client.ts';
import { addEvents, addJob } from '../outbox.ts';
import { operationInclude, readOperation, toOperation } from './operation-row.ts';

export interface NewOperation {
  organizationId: string;
  repositoryId: string;
  /** A user id. */
  requestedBy: string;
  request: Request;
  requestHash: string;
  idempotencyKey?: string | undefined;
}

export interface CreatedOperation {
  operation: Operation;
  /** False if a request with the same key or origin had created it before. */
  created: boolean;
}

export async function createOperation(client: Client, input: NewOperation): Promise<CreatedOperation> {
  return client.$transaction(async (tx) => {
    const id = await insert(tx, input);
    if (id === undefined) {
      const operation = await findEarlierOperation(tx, input);
      if (!operation) throw new Error('the conflicting operation no longer exists');
      return { operation, created: false };
    }
    const row = await readOperation(tx, id);
    const operation = toOperation(row);
    const { kind, repository } = operation;
    await addJob(tx, row);
    const { description } = input.request;
    await addEvents(tx, id, [{ type: 'operation.created', kind, description, repository }]);
    return { operation, created: true };
  });
}

/** Returns undefined if the key or the origin is taken. ON CONFLICT waits for a concurrent insert. */
async function insert(tx: Transaction, input: NewOperation): Promise<string | undefined> {
  const { requestedBy, request, idempotencyKey = null, ...rest } = input;
  const now = new Date();
  const id = newId('op', now.getTime());
  const { count } = await tx.operation.createMany({
    data: [
      {
        id,
        ...rest,
        requestedById: requestedBy,
        idempotencyKey,
        origin: request.origin ?? null,
        request: toJson(request),
        kind: request.kind,
        priority: request.priority,
        state: 'queued',
        createdAt: now,
        stateSince: now,
      },
    ],
    skipDuplicates: true,
  });
  return count === 1 ? id : undefined;
}

export type EarlierOperation = Pick<
  NewOperation,
  'organizationId' | 'idempotencyKey' | 'requestHash' | 'request'
>;

/**
 * Finds the operation that the same key or the same origin created before. The origin comes first, because an edited or
 * forwarded message is still the same message.
 */
export async function findEarlierOperation(
  tx: Client | Transaction,
  input: EarlierOperation,
): Promise<Operation | undefined> {
  const { organizationId, idempotencyKey, requestHash, request } = input;
  const { origin } = request;
  const sameMessage =
    origin !== undefined &&
    (await tx.operation.findUnique({
      where: { organizationId_origin: { organizationId, origin } },
      include: operationInclude,
    }));
  if (sameMessage) return toOperation(sameMessage);
  if (idempotencyKey === undefined) return undefined;
  const row = await tx.operation.findUnique({
    where: { organizationId_idempotencyKey: { organizationId, idempotencyKey } },
    include: operationInclude,
  });
  if (!row) return undefined;
  if (row.requestHash === requestHash) return toOperation(row);
  throw new FettleError(
    'idempotency_conflict',
    `This Idempotency-Key belongs to operation ${row.id}, which has a different request.`,
  );
}
