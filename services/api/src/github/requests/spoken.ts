/** What a person wrote on GitHub: a comment, a review comment, or the text of a review. */
import type { EventContext, GithubClient } from '../context.ts';
import { repositoryIdOf } from '../context.ts';
import { mayRequest } from './may-request.ts';
import { isByBot, markerFor, type Written } from './own-comments.ts';

export interface Spoken {
  /** Identifies it: `comment:1`. */
  key: string;
  repository: string;
  /** Of the issue or the pull request. */
  number: number;
  isPull: boolean;
  login: string;
  body: string;
  url: string;
  /** The id to react to. A review has none. */
  commentId: number | undefined;
  /** The first comment of its review thread. */
  reviewId?: number | undefined;
}

/** Why nothing follows from what was written, or undefined if its author may make requests. */
export async function refuseAuthor(
  context: EventContext,
  { client, repository, written }: { client: GithubClient; repository: string; written: Written },
): Promise<string | undefined> {
  if (isByBot(written)) return 'a bot wrote it';
  const { login } = written.user;
  if (await mayRequest(context, { client, repository, login })) return undefined;
  return 'its author may not make requests in this repository';
}

export async function react(context: EventContext, spoken: Spoken, reaction: 'eyes' | '+1' | 'confused') {
  const { key, repository, number, commentId, reviewId } = spoken;
  if (commentId === undefined) return;
  await context.dependencies.database.replies.add({
    ...{ key: `${reaction}:${key}`, number, commentId, body: reaction },
    repositoryId: await repositoryIdOf(context, repository),
    kind: reviewId === undefined ? 'reaction' : 'review_reaction',
  });
}

/** Answers once, in the review thread if it was written there. */
export async function answer(context: EventContext, spoken: Spoken, text: string): Promise<void> {
  const { repository, number, reviewId } = spoken;
  const key = `answer:${spoken.key}`;
  await context.dependencies.database.replies.add({
    ...{ key, number, body: `${markerFor(key)}\n${text}` },
    repositoryId: await repositoryIdOf(context, repository),
    ...(reviewId === undefined ? { kind: 'comment' } : { kind: 'thread', commentId: reviewId }),
  });
}
