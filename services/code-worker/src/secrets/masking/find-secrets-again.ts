import { firstUserMessage } from '../../act/turn-options.ts';
import type { Attempt } from '../../attempt/attempt.ts';
import type { Earlier } from '../../attempt/read-earlier.ts';
import type { Workspace } from '../../prepare/workspace.ts';
import { refillVault } from './refill-vault.ts';

/** Restores the secrets behind the tokens in the recorded conversation, for an attempt that resumes it. */
export async function findSecretsAgain(
  attempt: Pick<Attempt, 'claim' | 'messages' | 'secrets' | 'stop'>,
  workspace: Workspace,
  { conversation }: Earlier,
): Promise<void> {
  const { mirror, baseCommit, head } = workspace;
  await refillVault({
    vault: attempt.secrets.masking.vault,
    messages: conversation.messages,
    async readTexts() {
      const delivered = await attempt.messages.readDelivered();
      return [firstUserMessage(attempt, workspace), ...delivered.map(({ text }) => text)];
    },
    mirror,
    commits: [head(), baseCommit],
    signal: attempt.stop.signal,
  });
}
