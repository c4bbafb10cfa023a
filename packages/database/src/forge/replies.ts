/** Comments, replies and reactions that must reach a forge, each once. */
import { type Client, storableText } from '../client.ts';
import type { ForgeReply as ReplyRow, Repository } from '../generated/client.ts';

export type ReplyKind = 'comment' | 'thread' | 'reaction' | 'review_reaction';

export interface Reply {
  key: string;
  repositoryId: string;
  /** `owner/name` */
  repository: string;
  kind: ReplyKind;
  number: number;
  commentId: number | undefined;
  body: string;
  resolves: boolean;
  tries: number;
  createdAt: Date;
}

export interface NewReply {
  key: string;
  repositoryId: string;
  kind: ReplyKind;
  number: number;
  commentId?: number | undefined;
  /** The text, or the name of the reaction. */
  body: string;
  resolves?: boolean;
}

export async function addReply(client: Client, { commentId, ...input }: NewReply): Promise<void> {
  const data = {
    ...input,
    body: storableText(input.body),
    commentId: commentId === undefined ? null : BigInt(commentId),
    createdAt: new Date(),
  };
  await client.forgeReply.createMany({ data: [data], skipDuplicates: true });
}

export async function listDueReplies(client: Client, limit: number): Promise<Reply[]> {
  const rows = await client.forgeReply.findMany({
    where: { postedAt: null, failure: null, OR: [{ notBefore: null }, { notBefore: { lte: new Date() } }] },
    include: { repository: true },
    orderBy: { createdAt: 'asc' },
    take: limit,
  });
  return rows.map(toReply);
}

export async function endReply(
  client: Client,
  key: string,
  end: { postedAt: Date } | { failure: string } | { notBefore: Date },
): Promise<void> {
  await client.forgeReply.update({ where: { key }, data: { ...end, tries: { increment: 1 } } });
}

function toReply({ repository, commentId, ...row }: ReplyRow & { repository: Repository }): Reply {
  const { key, repositoryId, number, body, resolves, tries, createdAt } = row;
  return {
    ...{ key, repositoryId, number, body, resolves, tries, createdAt },
    repository: repository.name,
    kind: row.kind as ReplyKind,
    commentId: commentId === null ? undefined : Number(commentId),
  };
}
