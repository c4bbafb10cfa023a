import { messageStates } from '@fettle/contract';
import type { EventContext } from '../context.ts';
import type { EffectResult } from '../deliveries/run-deliveries.ts';
import type { Payload } from '../events/payloads.ts';
import { steer } from '../steering/steer.ts';
import { isByBot } from './own-comments.ts';
import { performCommand } from './perform-command.ts';
import { readCommand } from './read-command.ts';
import { react, refuseAuthor, type Spoken } from './spoken.ts';

/** A comment on an issue or in the conversation of a pull request: a command, or a message to the agent at work. */
export async function handleIssueComment(
  context: EventContext,
  { repository: { full_name: repository }, issue, comment }: Payload<'issue_comment'>,
): Promise<EffectResult> {
  const { database } = context.dependencies;
  if (isByBot(comment)) return { ignored: 'a bot wrote it' };
  const { number } = issue;
  const isPull = issue.pull_request !== undefined;
  const command = readCommand(comment.body, await context.github.readMention());
  const stored = await database.repositories.findByName({
    ...{ organizationId: context.organizationId, forge: 'github', name: repository },
  });
  const atWork =
    command === undefined && stored !== undefined
      ? await database.threads.findOperation({ repositoryId: stored.id, number, inStates: messageStates })
      : undefined;
  if (command === undefined && atWork === undefined) return { ignored: 'it contains no request' };
  const client = await context.github.clientFor(repository);
  const refusal = await refuseAuthor(context, { client, repository, written: comment });
  if (refusal !== undefined) return { ignored: refusal };
  const { login } = comment.user;
  const spoken: Spoken = {
    ...{ key: `comment:${comment.id}`, repository, number, isPull, login },
    ...{ body: comment.body, url: comment.html_url, commentId: comment.id },
  };
  if (command === undefined && atWork) {
    await react(context, spoken, 'eyes');
    return steer(context, { operation: atWork, spoken, text: comment.body, isAddressed: false });
  }
  if (command === undefined) return { ignored: 'it contains no request' };
  const { title, body, user, html_url } = issue;
  const quoted = [{ body: `${title}\n\n${body}`, user, html_url }];
  return performCommand(context, { client, spoken, command, quoted });
}
