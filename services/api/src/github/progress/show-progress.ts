/** Posts and edits the comments that show the state of operations. */
import { crashPoint } from '@fettle/crash-point';
import type { Thread } from '@fettle/database';
import { type EventContext, type GithubClient, placeOf } from '../context.ts';
import { statusOf } from '../failures.ts';
import { findMarked } from '../requests/own-comments.ts';
import { describeProgress, progressKey } from './describe-progress.ts';

/** The shortest time between two edits of a comment. */
const pauseMs = 5_000;
const batchSize = 50;

export async function showProgress(context: EventContext): Promise<void> {
  const { database, redaction } = context.dependencies;
  const before = new Date(Date.now() - pauseMs);
  for (const { thread, operation } of await database.threads.listToShow({ before, limit: batchSize })) {
    const text = redaction.text(describeProgress(operation));
    // Before the request: a state that changes meanwhile is shown next time.
    const shownAt = new Date();
    const commentId = text === thread.shown ? thread.commentId : await show(context, { thread, text });
    await database.threads.note(thread.operationId, { commentId, shown: text, shownAt });
  }
}

interface Showing {
  thread: Thread;
  text: string;
}

/** Returns the id of the comment. Someone may have deleted it; then it is not written again. */
async function show(context: EventContext, { thread, text: body }: Showing): Promise<number | undefined> {
  const client = await context.github.clientFor(thread.repository);
  const known = thread.commentId ?? (await findPosted(client, thread));
  const place = placeOf(thread.repository);
  const isReview = thread.reviewId !== undefined;
  if (known === undefined) {
    const { data } = isReview
      ? await client.request('POST /repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies', {
          ...{ ...place, pull_number: thread.number, comment_id: thread.reviewId ?? 0, body },
        })
      : await client.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', {
          ...{ ...place, issue_number: thread.number, body },
        });
    crashPoint('progress-posted');
    return Number(data.id);
  }
  const route = isReview
    ? ('PATCH /repos/{owner}/{repo}/pulls/comments/{comment_id}' as const)
    : ('PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}' as const);
  try {
    await client.request(route, { ...place, comment_id: known, body });
  } catch (error) {
    if (statusOf(error) !== 404) throw error;
  }
  return known;
}

/** A crash may have happened after the comment was posted and before its id was stored. */
async function findPosted(client: GithubClient, thread: Thread): Promise<number | undefined> {
  const { repository, number, reviewId, createdAt } = thread;
  const since = new Date(createdAt.getTime() - 60_000).toISOString();
  const query = { ...placeOf(repository), since, per_page: 100 };
  const { data } =
    reviewId === undefined
      ? await client.request('GET /repos/{owner}/{repo}/issues/{issue_number}/comments', {
          ...{ ...query, issue_number: number },
        })
      : await client.request('GET /repos/{owner}/{repo}/pulls/{pull_number}/comments', {
          ...{ ...query, pull_number: number },
        });
  return findMarked(data, progressKey(thread.operationId));
}
