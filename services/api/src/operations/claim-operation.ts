import { type Claim, FettleError } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import { claimKey, openStream } from '@fettle/queue';
import type { Dependencies } from '../dependencies.ts';
import { storeOperation } from '../events/store-operation.ts';

/**
 * Gives an operation to a worker. From then on nobody older can add to the record, and what they added before
 * is in the database: whoever goes on has all of it.
 */
export async function claimOperation(
  dependencies: Dependencies,
  input: { id: string; worker: string; key: string },
): Promise<Claim> {
  const { config, database, redis, outbox, liveness } = dependencies;
  const { id } = input;
  const { leaseSeconds, budgets } = config;
  const claim = await database.operations.claim({ ...input, leaseSeconds });
  liveness.note(id);
  crashPoint('claimed');
  await outbox.flush();
  // Before a first attempt there is nobody older and nothing to go on from.
  const isFirst = claim.attempt === 1;
  const position = isFirst ? 0 : await database.events.lastPosition(id);
  const { fence } = claim;
  await openStream(redis, id, { position, fence, key: claimKey(fence) });
  if (!isFirst) {
    await storeOperation(dependencies, id);
    await assertWhole(dependencies, id);
  }
  return { ...claim, leaseSeconds, budgets };
}

/**
 * The job comes after all that happened before it, but a second one may not, and the outbox may have much to deliver:
 * without a decision that is in there, for instance, whoever goes on would ask for it again. The same claim, a moment
 * later, is the same one.
 */
async function assertWhole({ database, outbox }: Dependencies, id: string): Promise<void> {
  // What can never be delivered is not waited for.
  if (outbox.isHeld(id)) return;
  const waiting = await database.outbox.pendingFor(id);
  if (waiting.some(({ kind }) => kind === 'event'))
    throw new FettleError('unavailable', `what happened to operation ${id} is not all on record yet`);
}
