/** Reviews, comments and failed checks of a proposal. What is due together becomes one revision. */
import { FettleError } from '@fettle/contract';
import { z } from 'zod';
import { type Client, storableText, toJson } from '../client.ts';
import type { ForgeFeedback as FeedbackRow } from '../generated/client.ts';

export const feedbackItemsSchema = z.array(
  z.object({
    path: z.string(),
    line: z.number().nullable(),
    text: z.string(),
    /** The first comment of the thread. */
    commentId: z.number(),
  }),
);

export type FeedbackKind = 'review' | 'comment' | 'check';

export interface Feedback {
  key: string;
  operationId: string;
  kind: FeedbackKind;
  author: string;
  text: string;
  items: z.infer<typeof feedbackItemsSchema>;
  createdAt: Date;
  dueAt: Date;
  batch: string | undefined;
  revision: number | undefined;
}

export type NewFeedback = Omit<Feedback, 'createdAt' | 'batch' | 'revision'>;

export async function addFeedback(client: Client, input: NewFeedback): Promise<void> {
  const { items, ...rest } = input;
  const data = {
    ...rest,
    text: storableText(rest.text),
    items: toJson(items.map((item) => ({ ...item, text: storableText(item.text) }))),
    createdAt: new Date(),
  };
  await client.forgeFeedback.createMany({ data: [data], skipDuplicates: true });
}

/** Feedback that has not been answered, oldest first. */
export async function listOpenFeedback(client: Client, operationId?: string): Promise<Feedback[]> {
  const rows = await client.forgeFeedback.findMany({
    where: { closedAt: null, ...(operationId !== undefined && { operationId }) },
    orderBy: [{ createdAt: 'asc' }, { key: 'asc' }],
    take: 1_000,
  });
  return rows.map(toFeedback);
}

/** How many revisions failed checks have caused. */
export async function countRepairs(client: Client, operationId: string): Promise<number> {
  const rows = await client.forgeFeedback.findMany({
    where: { operationId, kind: 'check', batch: { not: null } },
    distinct: ['batch'],
    select: { batch: true },
  });
  return rows.length;
}

/** Gives the feedback one batch. Fails if some of it has another batch already. */
export async function batchFeedback(
  client: Client,
  { keys, batch }: { keys: string[]; batch: string },
): Promise<void> {
  const { count } = await client.forgeFeedback.updateMany({
    where: { key: { in: keys }, OR: [{ batch: null }, { batch }] },
    data: { batch },
  });
  if (count !== keys.length) throw new FettleError('conflict', `Batch ${batch} has changed meanwhile.`);
}

export async function noteRevision(client: Client, batch: string, revision: number): Promise<void> {
  await client.forgeFeedback.updateMany({ where: { batch }, data: { revision } });
}

export async function closeFeedback(client: Client, keys: string[]): Promise<void> {
  await client.forgeFeedback.updateMany({ where: { key: { in: keys } }, data: { closedAt: new Date() } });
}

function toFeedback(row: FeedbackRow): Feedback {
  const { key, operationId, author, text, createdAt, dueAt } = row;
  return {
    ...{ key, operationId, author, text, createdAt, dueAt },
    kind: row.kind as FeedbackKind,
    items: feedbackItemsSchema.parse(row.items),
    batch: row.batch ?? undefined,
    revision: row.revision ?? undefined,
  };
}
