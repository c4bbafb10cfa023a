import type { EventContext } from '../context.ts';
import type { EffectResult } from '../deliveries/run-deliveries.ts';
import type { Payload } from '../events/payloads.ts';
import { performCommand, readPull } from '../requests/perform-command.ts';
import { readCommand } from '../requests/read-command.ts';
import { refuseAuthor, type Spoken } from '../requests/spoken.ts';
import { collectReview } from './collect-review.ts';

/** A review of a pull request: feedback on Fettle’s proposal, or a command in its text. */
export async function handleReview(
  context: EventContext,
  { repository: { full_name: repository }, review, pull_request: { number } }: Payload<'pull_request_review'>,
): Promise<EffectResult> {
  const client = await context.github.clientFor(repository);
  const command = readCommand(review.body, await context.github.readMention());
  if (command === undefined || command.kind === 'mention')
    return collectReview(context, { client, repository, number, reviewId: review.id });
  const refusal = await refuseAuthor(context, { client, repository, written: review });
  if (refusal !== undefined) return { ignored: refusal };
  const spoken: Spoken = {
    ...{ key: `review:${review.id}`, repository, number, isPull: true, login: review.user.login },
    ...{ body: review.body, url: review.html_url, commentId: undefined },
  };
  const { title, body, user, html_url } = await readPull(client, repository, number);
  const quoted = [{ body: `${title}\n\n${body}`, user, html_url }];
  return performCommand(context, { client, spoken, command, quoted });
}
