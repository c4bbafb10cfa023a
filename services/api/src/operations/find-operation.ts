import { FettleError, type Operation } from '@fettle/contract';
import type { Database } from '@fettle/database';
import type { Caller } from '../auth/authentication.ts';

/** One of the caller's own operations; another organization's looks as if it did not exist. */
export async function findOperation(database: Database, caller: Caller, id: string): Promise<Operation> {
  const operation = await database.operations.get(id, caller.organizationId);
  if (!operation) throw new FettleError('not_found', `there is no operation ${id}`, 'id');
  return operation;
}
