import type { Claim } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import { claimKey, openStream } from '@fettle/queue';
import type { Parts } from './app.ts';
import { storeOperation } from './events/store-operation.ts';

/**
 * Gives an operation to a worker. From then on nobody older can add to the record, and what they added before
 * is in the database: whoever goes on has all of it.
 */
export async function claimOperation(
  parts: Parts,
  input: { id: string; worker: string; key: string },
): Promise<Claim> {
  const { config, database, redis, outbox, lives } = parts;
  const { id } = input;
  const { leaseSeconds, budgets } = config;
  const claim = await database.operations.claim({ ...input, leaseSeconds });
  lives.note(id);
  crashPoint('claimed');
  await outbox.flush();
  // Before a first attempt there is nobody older and nothing to go on from.
  const isFirst = claim.attempt === 1;
  const position = isFirst ? 0 : await database.events.lastPosition(id);
  const { fence } = claim;
  await openStream(redis, id, { position, fence, key: claimKey(fence) });
  if (!isFirst) await storeOperation(parts, id);
  return { ...claim, leaseSeconds, budgets };
}
