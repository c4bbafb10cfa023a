import type { Claim } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import { claimKey, openStream } from '@fettle/queue';
import type { Dependencies } from '../dependencies.ts';
import { storeOperation } from '../events/store-operation.ts';

/**
 * Gives an operation to a worker. Afterwards no earlier worker can append to the record, and everything that they appended
 * is in the database, so that the new worker gets the whole record.
 */
export async function claimOperation(
  dependencies: Dependencies,
  input: { id: string; worker: string; key: string },
): Promise<Claim> {
  const { config, database, redis, outbox, liveness } = dependencies;
  const { id } = input;
  const { leaseSeconds, budgets, proposalLimits: limits } = config;
  const claim = await database.operations.claim({ ...input, leaseSeconds, limits });
  liveness.note(id);
  crashPoint('claimed');
  await outbox.flush();
  // Before the first attempt there is no earlier worker and no record.
  const isFirst = claim.attempt === 1;
  const position = isFirst ? 0 : await database.events.lastPosition(id);
  const { fence } = claim;
  await openStream(redis, id, { position, fence, key: claimKey(fence) });
  if (!isFirst) {
    await storeOperation(dependencies, id);
    // A second job can overtake events that are still in the outbox. Without a plan's decision, for example, the worker
    // would ask for it again. The worker repeats the claim with the same key a moment later.
    await outbox.assertDelivered(id);
  }
  return { ...claim, leaseSeconds, budgets };
}
