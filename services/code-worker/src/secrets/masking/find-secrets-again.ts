import { requestPrompt } from '@fettle/agent';
import type { Attempt } from '../../attempt/attempt.ts';
import type { Earlier } from '../../attempt/read-earlier.ts';
import type { Workspace } from '../../prepare/workspace.ts';
import { refillVault } from './refill-vault.ts';

/** Restores the secrets behind the tokens in the recorded conversation, for an attempt that resumes it. */
export async function findSecretsAgain(
  { claim, messages, secrets, stop }: Pick<Attempt, 'claim' | 'messages' | 'secrets' | 'stop'>,
  { mirror, baseBranch, baseCommit, config, instructions, head }: Workspace,
  { conversation }: Earlier,
): Promise<void> {
  const { request } = claim.operation;
  const { commands } = config;
  await refillVault({
    vault: secrets.masking.vault,
    messages: conversation.messages,
    async readTexts() {
      const delivered = (await messages.readDelivered()).map(({ text }) => text);
      return [requestPrompt(request, { baseBranch, commands, instructions }), ...delivered];
    },
    mirror,
    commits: [head(), baseCommit],
    signal: stop.signal,
  });
}
