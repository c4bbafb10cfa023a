/** Starts a revision for feedback that is due: one revision for all feedback that has been collected. */
import { FettleError, isEnded, type Operation, type State } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import type { Feedback } from '@fettle/database';
import type { EventContext } from '../context.ts';
import { markerFor } from '../requests/own-comments.ts';
import { describeFeedback } from './describe-feedback.ts';

export async function startRevisions(context: EventContext): Promise<void> {
  const { database } = context.dependencies;
  const open = (await database.feedback.listOpen()).filter(({ revision }) => revision === undefined);
  for (const [operationId, feedback] of Map.groupBy(open, ({ operationId }) => operationId)) {
    const operation = await database.operations.get(operationId);
    if (operation) await startRevision(context, operation, feedback);
  }
}

async function startRevision(
  context: EventContext,
  operation: Operation,
  feedback: Feedback[],
): Promise<void> {
  const { database } = context.dependencies;
  if (isOver(operation.state)) return database.feedback.close(feedback.map(({ key }) => key));
  // A batch that was formed before a crash keeps its content, and its key makes its revision start once.
  const formed = feedback.filter(({ batch }) => batch !== undefined);
  const batch = formed.length > 0 ? formed : takeDue(operation, feedback);
  const [first] = batch;
  if (!first) return;
  const keys = batch.map(({ key }) => key);
  const name = first.batch ?? first.key;
  await database.feedback.batch({ keys, batch: name });
  crashPoint('feedback-batched');
  const text = describeFeedback(batch);
  await revise(context, { operation, batch, name, text });
}

const isOver = (state: State) => isEnded(state) || ['merged', 'rejected', 'deploying'].includes(state);

function takeDue({ state, outcome }: Operation, feedback: Feedback[]): Feedback[] {
  if (state !== 'awaiting_approval' || outcome?.kind !== 'proposal') return [];
  return feedback.some(({ dueAt }) => dueAt.getTime() <= Date.now()) ? feedback : [];
}

interface Batch {
  operation: Operation;
  batch: Feedback[];
  name: string;
  text: string;
}

async function revise(context: EventContext, { operation, batch, name, text }: Batch): Promise<void> {
  const { dependencies, organizationId, rules } = context;
  const { database, outbox } = dependencies;
  const { id } = operation;
  try {
    const by = [...new Set(batch.map(({ author }) => author))].join(' and ');
    const { revision } = await database.operations.revise({
      ...{ id, organizationId, by, text, maxRevisions: rules.maxRevisions },
      idempotencyKey: `github:${name}`,
    });
    crashPoint('github-revision-started');
    await database.feedback.noteRevision(name, revision);
    await outbox.flush();
  } catch (error) {
    if (!(error instanceof FettleError) || error.code !== 'conflict') throw error;
    const now = await database.operations.get(id);
    // The state changed meanwhile: the batch waits for the end of what is running.
    if (now?.state !== 'awaiting_approval' || now.revision < rules.maxRevisions) return;
    await giveUp(context, { operation, batch, name, text: error.message });
  }
}

async function giveUp(
  { dependencies }: EventContext,
  { operation, batch, name, text }: Batch,
): Promise<void> {
  const { database } = dependencies;
  const at = await database.threads.findPullRequest(operation.id);
  const key = `limit:${name}`;
  if (at)
    await database.replies.add({
      ...{ key, ...at, kind: 'comment' },
      body: `${markerFor(key)}\nFettle does not work on this: ${text}`,
    });
  await database.feedback.close(batch.map((each) => each.key));
}
