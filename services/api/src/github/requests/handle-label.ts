import type { EventContext } from '../context.ts';
import type { EffectResult } from '../deliveries/run-deliveries.ts';
import type { Payload } from '../events/payloads.ts';
import { mayRequest } from './may-request.ts';
import { isByBot } from './own-comments.ts';
import { describe } from './perform-command.ts';
import { quoteThread } from './quote-thread.ts';
import { requestWork } from './request-work.ts';

const requestLabel = 'fettle';
const bugLabel = /^(type[:/ ]+)?(bug|defect|regression)$/i;

/** The label requests what the issue describes, as the issue is at this moment. */
export async function handleLabel(
  context: EventContext,
  { repository: { full_name: repository }, issue, label, sender }: Payload<'issues'>,
): Promise<EffectResult> {
  if (label?.name.toLowerCase() !== requestLabel) return { ignored: 'it is another label' };
  const { login } = sender;
  if (isByBot({ body: '', user: sender })) return { ignored: 'a bot added the label' };
  const client = await context.github.clientFor(repository);
  if (!(await mayRequest(context, { client, repository, login })))
    return { ignored: 'who added the label may not make requests in this repository' };
  const { number, title, body, user, html_url } = issue;
  const thread = await quoteThread(context, {
    ...{ client, repository, number, withComments: false },
    first: [{ body: `${title}\n\n${body}`, user, html_url }],
  });
  const operation = await requestWork(context, {
    ...{ repository, login, number, thread },
    kind: issue.labels.some((name) => bugLabel.test(name)) ? 'fix' : 'implement',
    description: describe('', { isPull: false, number }),
    origin: `${html_url}#label-${issue.updated_at}`,
  });
  return { did: `requested ${operation.id}` };
}
