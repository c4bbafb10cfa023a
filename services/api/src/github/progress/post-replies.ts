/** Posts comments, replies and reactions, each once, whatever crashes in between. */
import { backoffMs } from '@fettle/backoff';
import { crashPoint } from '@fettle/crash-point';
import type { Reply } from '@fettle/database';
import { z } from 'zod';
import { type EventContext, type GithubClient, placeOf } from '../context.ts';
import { classifyFailure } from '../failures.ts';
import { findMarked } from '../requests/own-comments.ts';

const batchSize = 50;
const backoff = { firstMs: 2_000, longestMs: 5 * 60_000 };

export async function postReplies(context: EventContext): Promise<void> {
  const { database, log } = context.dependencies;
  for (const reply of await database.replies.listDue(batchSize)) {
    const { key, kind, tries } = reply;
    try {
      await post(await context.github.clientFor(reply.repository), reply);
      crashPoint('reply-posted');
      await database.replies.end(key, { postedAt: new Date() });
    } catch (error) {
      const failure = classifyFailure(error);
      const { message } = error as Error;
      log.warn({ reply: key, kind, why: message }, 'a comment could not be posted');
      if (!failure.passes) {
        await database.replies.end(key, { failure: message.slice(0, 500) });
        continue;
      }
      const pauseMs = Math.max(backoffMs(tries, backoff), failure.afterMs ?? 0);
      await database.replies.end(key, { notBefore: new Date(Date.now() + pauseMs) });
    }
  }
}

async function post(client: GithubClient, reply: Reply): Promise<void> {
  const { repository, kind, number, body, commentId = 0 } = reply;
  const place = placeOf(repository);
  if (kind === 'reaction' || kind === 'review_reaction') {
    const of = kind === 'reaction' ? 'issues' : 'pulls';
    // GitHub answers a repeated reaction with the first one.
    await client.request(`POST /repos/{owner}/{repo}/${of}/comments/{comment_id}/reactions`, {
      ...{ ...place, comment_id: commentId, content: body as 'eyes' },
    });
    return;
  }
  const isPosted = (await findPosted(client, reply)) !== undefined;
  if (kind === 'comment') {
    const at = { ...place, issue_number: number, body };
    if (!isPosted) await client.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', at);
    return;
  }
  const at = { ...place, pull_number: number, comment_id: commentId, body };
  if (!isPosted)
    await client.request('POST /repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies', at);
  crashPoint('thread-answered');
  if (reply.resolves) await resolveThread(client, reply);
}

/** The key is in the marker at the beginning of the text. */
async function findPosted(client: GithubClient, reply: Reply): Promise<number | undefined> {
  const since = new Date(reply.createdAt.getTime() - 60_000).toISOString();
  const query = { ...placeOf(reply.repository), since, per_page: 100 };
  const { data } =
    reply.kind === 'comment'
      ? await client.request('GET /repos/{owner}/{repo}/issues/{issue_number}/comments', {
          ...{ ...query, issue_number: reply.number },
        })
      : await client.request('GET /repos/{owner}/{repo}/pulls/{pull_number}/comments', {
          ...{ ...query, pull_number: reply.number },
        });
  return findMarked(data, reply.key);
}

const threadsQuery = `query($owner: String!, $repo: String!, $number: Int!) {
  repository(owner: $owner, name: $repo) { pullRequest(number: $number) {
    reviewThreads(last: 100) { nodes { id isResolved comments(first: 1) { nodes { databaseId } } } }
  } }
}`;
const threadsSchema = z.object({
  repository: z.object({
    pullRequest: z.object({
      reviewThreads: z.object({
        nodes: z.array(
          z.object({
            id: z.string(),
            isResolved: z.boolean(),
            comments: z.object({ nodes: z.array(z.object({ databaseId: z.number().nullable() })) }),
          }),
        ),
      }),
    }),
  }),
});

/** REST knows no threads. */
async function resolveThread(client: GithubClient, { repository, number, commentId }: Reply): Promise<void> {
  const found = threadsSchema.parse(await client.graphql(threadsQuery, { ...placeOf(repository), number }));
  const thread = found.repository.pullRequest.reviewThreads.nodes.find(
    ({ comments }) => comments.nodes[0]?.databaseId === commentId,
  );
  if (!thread || thread.isResolved) return;
  const mutation = 'mutation($id: ID!) { resolveReviewThread(input: { threadId: $id }) { thread { id } } }';
  await client.graphql(mutation, { id: thread.id });
}
