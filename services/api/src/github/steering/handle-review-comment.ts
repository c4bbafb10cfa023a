import { z } from 'zod';
import { type EventContext, type GithubClient, placeOf } from '../context.ts';
import type { EffectResult } from '../deliveries/run-deliveries.ts';
import { type Payload, type ReviewComment, reviewCommentSchema } from '../events/payloads.ts';
import { performCommand, readPull } from '../requests/perform-command.ts';
import type { QuotedText } from '../requests/quote-thread.ts';
import { readCommand } from '../requests/read-command.ts';
import { refuseAuthor, type Spoken } from '../requests/spoken.ts';
import { collectReview } from './collect-review.ts';

/** A comment on a line: a command, answered in its thread, or a part of a review. */
export async function handleReviewComment(
  context: EventContext,
  {
    repository: { full_name: repository },
    comment,
    pull_request: { number },
  }: Payload<'pull_request_review_comment'>,
): Promise<EffectResult> {
  const client = await context.github.clientFor(repository);
  const command = readCommand(comment.body, await context.github.readMention());
  if (command === undefined || command.kind === 'mention') {
    const reviewId = comment.pull_request_review_id;
    if (typeof reviewId !== 'number') return { ignored: 'it belongs to no review' };
    return collectReview(context, { client, repository, number, reviewId });
  }
  const refusal = await refuseAuthor(context, { client, repository, written: comment });
  if (refusal !== undefined) return { ignored: refusal };
  const first = comment.in_reply_to_id ?? comment.id;
  const spoken: Spoken = {
    ...{ key: `review-comment:${comment.id}`, repository, number, isPull: true, login: comment.user.login },
    ...{ body: comment.body, url: comment.html_url, commentId: comment.id, reviewId: first },
  };
  const quoted = await quoteReviewThread({ client, repository, number, comment, first });
  return performCommand(context, { client, spoken, command, quoted });
}

interface ReviewThread {
  client: GithubClient;
  repository: string;
  number: number;
  comment: ReviewComment;
  /** The first comment of the thread. */
  first: number;
}

/** The pull request, the lines that the thread is about, and the comments before this one. */
async function quoteReviewThread({
  client,
  repository,
  number,
  comment,
  first,
}: ReviewThread): Promise<QuotedText[]> {
  const { title, body, user, html_url } = await readPull(client, repository, number);
  const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}/comments';
  const { data } = await client.request(route, {
    ...placeOf(repository),
    pull_number: number,
    per_page: 100,
  });
  const thread = z
    .array(reviewCommentSchema)
    .parse(data)
    .filter(({ id, in_reply_to_id }) => (id === first || in_reply_to_id === first) && id < comment.id);
  const place = `${comment.path}, line ${comment.line ?? comment.original_line ?? '?'}:\n${comment.diff_hunk}`;
  return [
    { body: `${title}\n\n${body}`, user, html_url },
    { body: place, user: comment.user, html_url: comment.html_url },
    ...thread,
  ];
}
