import { FettleError, type Operation } from '@fettle/contract';
import type { Database } from '@fettle/database';
import type { Caller } from '../auth/authentication.ts';

/** Operations of other organizations are reported as not found. */
export async function findOperation(database: Database, caller: Caller, id: string): Promise<Operation> {
  const operation = await database.operations.get(id, caller.organizationId);
  if (!operation) throw new FettleError('not_found', `there is no operation ${id}`, 'id');
  return operation;
}
