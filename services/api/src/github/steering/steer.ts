/** Passes what a person wrote to an agent: as a message while it works, as feedback on its proposal after that. */
import { FettleError, messageStates, type Operation, type State } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import { sendWorkSignal } from '@fettle/queue';
import { signalTimeoutMs } from '../../routes/params.ts';
import { within } from '../../within.ts';
import type { EventContext } from '../context.ts';
import type { EffectResult } from '../deliveries/run-deliveries.ts';
import type { Spoken } from '../requests/spoken.ts';

export interface Steering {
  operation: Operation;
  spoken: Spoken;
  text: string;
  /** Whether Fettle was addressed, so that it acts on a proposal at once. */
  isAddressed: boolean;
}

const maxMessage = 10_000;

export async function steer(context: EventContext, steering: Steering): Promise<EffectResult> {
  const { operation, isAddressed } = steering;
  const isAtWork = (messageStates as readonly State[]).includes(operation.state);
  if (isAtWork && (await sendMessage(context, steering))) return { did: `sent a message to ${operation.id}` };
  if (operation.kind === 'ask') return { ignored: 'the agent is about to answer' };
  return addFeedback(context, steering, isAddressed ? 0 : context.rules.collectSeconds);
}

/** Returns false if the agent would not see the message any more. */
async function sendMessage(
  { dependencies, organizationId }: EventContext,
  { operation: { id }, spoken, text }: Steering,
): Promise<boolean> {
  const { database, outbox, redis } = dependencies;
  try {
    const { isWorked } = await database.messages.add({
      ...{ operationId: id, organizationId, by: spoken.login, text: text.trim().slice(0, maxMessage) },
      idempotencyKey: `github:${spoken.key}`,
    });
    crashPoint('github-message-stored');
    if (isWorked) await within(signalTimeoutMs, sendWorkSignal(redis, id, 'message'));
    await outbox.flush();
    return true;
  } catch (error) {
    if (error instanceof FettleError && error.code === 'conflict') return false;
    throw error;
  }
}

async function addFeedback(
  { dependencies }: EventContext,
  { operation, spoken, text }: Steering,
  afterSeconds: number,
): Promise<EffectResult> {
  await dependencies.database.feedback.add({
    ...{ key: spoken.key, operationId: operation.id, kind: 'comment', author: spoken.login, text },
    items: [],
    dueAt: new Date(Date.now() + afterSeconds * 1000),
  });
  return { did: `collected feedback for ${operation.id}` };
}
