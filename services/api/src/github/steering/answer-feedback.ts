/** When a revision has ended, answers the comments that it dealt with, and resolves the threads that it settled. */
import { isSettled, type Operation } from '@fettle/contract';
import type { Feedback, NewReply } from '@fettle/database';
import { z } from 'zod';
import { type EventContext, type GithubClient, placeOf } from '../context.ts';
import { showAgentText } from '../progress/agent-text.ts';
import { markerFor } from '../requests/own-comments.ts';

export async function answerFeedback(context: EventContext): Promise<void> {
  const { database } = context.dependencies;
  const sent = (await database.feedback.listOpen()).filter(({ revision }) => revision !== undefined);
  for (const [operationId, feedback] of Map.groupBy(sent, ({ operationId }) => operationId)) {
    const operation = await database.operations.get(operationId);
    if (!operation || !isSettled(operation.state)) continue;
    for (const [revision, batch] of Map.groupBy(feedback, (each) => each.revision ?? 0))
      if (operation.revision >= revision) await answerBatch(context, { operation, revision, batch });
  }
}

interface EndedBatch {
  operation: Operation;
  revision: number;
  batch: Feedback[];
}

async function answerBatch(context: EventContext, ended: EndedBatch): Promise<void> {
  const { database } = context.dependencies;
  const { operation, batch } = ended;
  const at = await database.threads.findPullRequest(operation.id);
  if (at && operation.state === 'awaiting_approval') {
    const result = await readResult(context, ended);
    for (const reply of listReplies(batch, result))
      await database.replies.add({
        ...at,
        ...reply,
        body: `${markerFor(reply.key)}\n${context.dependencies.redaction.text(reply.body)}`,
      });
  }
  await database.feedback.close(batch.map(({ key }) => key));
}

interface Result {
  /** Undefined if the revision changed nothing. */
  commit: { sha: string; subject: string; paths: ReadonlySet<string> } | undefined;
  text: string;
}

async function readResult(context: EventContext, { operation, revision }: EndedBatch): Promise<Result> {
  const { database } = context.dependencies;
  const ends = await database.events.listOfType(operation.id, 'revision.ended');
  const end = ends.find((event) => event.type === 'revision.ended' && event.revision === revision);
  if (end?.type === 'revision.ended') {
    const { outcome } = end;
    const why = outcome.kind === 'answer' ? outcome.answer : outcome.message;
    return { commit: undefined, text: showAgentText(why ?? 'No change was made.') };
  }
  if (operation.outcome?.kind !== 'proposal') return { commit: undefined, text: 'No change was made.' };
  const client = await context.github.readerFor(operation.repository);
  const commit = await readCommit(client, operation.repository, operation.outcome.headCommit);
  return { commit, text: `Done in ${commit.sha}: ${showAgentText(commit.subject)}` };
}

const commitSchema = z.object({
  sha: z.string(),
  commit: z.object({ message: z.string() }),
  files: z.array(z.object({ filename: z.string() })).default([]),
});

async function readCommit(client: GithubClient, repository: string, ref: string) {
  const route = 'GET /repos/{owner}/{repo}/commits/{ref}';
  const { sha, commit, files } = commitSchema.parse(
    (await client.request(route, { ...placeOf(repository), ref })).data,
  );
  const subject = commit.message.split('\n')[0] ?? '';
  return { sha, subject, paths: new Set(files.map(({ filename }) => filename)) };
}

type ReplyText = Omit<NewReply, 'number' | 'repositoryId'>;

/** A thread counts as settled if the commit of the revision changed its file. People can reopen it. */
function listReplies(batch: Feedback[], { commit, text }: Result): ReplyText[] {
  return batch.flatMap(({ key, kind, items }): ReplyText[] => {
    if (kind === 'check')
      return commit
        ? []
        : [
            {
              key: `reply:${key}`,
              kind: 'comment',
              body: `The failed check was not repaired. ${text}`,
            },
          ];
    if (items.length === 0) return [{ key: `reply:${key}`, kind: 'comment', body: text }];
    return items.map(({ commentId, path }) => ({
      key: `reply:${key}:${commentId}`,
      kind: 'thread',
      body: text,
      commentId,
      resolves: commit?.paths.has(path) === true,
    }));
  });
}
