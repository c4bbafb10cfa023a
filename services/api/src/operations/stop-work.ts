import type { Operation } from '@fettle/contract';
import { sendWorkSignal } from '@fettle/queue';
import type { Dependencies } from '../dependencies.ts';
import { signalTimeoutMs } from '../routes/params.ts';
import { within } from '../within.ts';

export interface Actor {
  id: string;
  organizationId: string;
  by: string;
}

/** Cancels an operation, and notifies its worker or removes its job. */
export async function cancelWork(dependencies: Dependencies, actor: Actor): Promise<Operation> {
  const { database, outbox, queue, redis } = dependencies;
  const { operation, wasWorked } = await database.operations.cancel(actor);
  const { id, attempts } = operation;
  await within(
    signalTimeoutMs,
    wasWorked
      ? sendWorkSignal(redis, id, 'cancel')
      : queue.remove({ operationId: id, attempt: attempts + 1 }),
  );
  await outbox.flush();
  return operation;
}

/** Pauses an operation, and notifies its worker or removes its job. */
export async function pauseWork(dependencies: Dependencies, actor: Actor): Promise<Operation> {
  const { database, outbox, queue, redis } = dependencies;
  const { operation, wasWorked } = await database.operations.pause(actor);
  const { id, attempts } = operation;
  await within(
    signalTimeoutMs,
    wasWorked ? sendWorkSignal(redis, id, 'pause') : queue.remove({ operationId: id, attempt: attempts + 1 }),
  );
  await outbox.flush();
  return operation;
}

export async function resumeWork(
  { database, outbox, redis }: Dependencies,
  actor: Actor,
): Promise<Operation> {
  const operation = await database.operations.resume(actor);
  await within(signalTimeoutMs, sendWorkSignal(redis, actor.id, 'resume'));
  await outbox.flush();
  return operation;
}
