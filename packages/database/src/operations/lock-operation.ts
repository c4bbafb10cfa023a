import { FettleError, stateSchema } from '@fettle/contract';
import { z } from 'zod';
import type { Transaction } from '../client.ts';

const lockedSchema = z.object({
  state: stateSchema,
  fence: z.int(),
  organizationId: z.string(),
  repositoryId: z.string(),
  pauseAskedBy: z.string().nullable(),
  messageCount: z.int(),
  hearingClosed: z.boolean(),
});
export type LockedOperation = z.infer<typeof lockedSchema>;

/** Locks the row until the transaction ends. Rows that reference it can still be written. */
export async function lockOperation(tx: Transaction, id: string): Promise<LockedOperation> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT state, fence, organization_id AS "organizationId", repository_id AS "repositoryId",
      pause_asked_by AS "pauseAskedBy", message_count AS "messageCount", hearing_closed AS "hearingClosed"
    FROM operation WHERE id = ${id} FOR NO KEY UPDATE`;
  if (rows.length === 0) throw operationNotFound(id);
  return lockedSchema.parse(rows[0]);
}

export function operationNotFound(id: string): FettleError {
  return new FettleError('not_found', `There is no operation ${id}.`);
}
