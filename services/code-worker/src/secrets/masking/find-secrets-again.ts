import { requestPrompt } from '@fettle/agent';
import type { Work } from '../../attempt/attempt.ts';
import type { Earlier } from '../../attempt/read-earlier.ts';
import type { Workspace } from '../../prepare/workspace.ts';
import { refillVault } from './refill-vault.ts';

/** For an attempt that goes on from the record: what stands there as tokens, by what they came from. */
export async function findSecretsAgain(
  { claim, masking, readHeard, signal }: Work,
  { mirror, baseBranch, baseCommit, config, instructions, head }: Workspace,
  { conversation }: Earlier,
): Promise<void> {
  const { request } = claim.operation;
  const { commands } = config;
  await refillVault({
    vault: masking.vault,
    messages: conversation.messages,
    async readWords() {
      const said = (await readHeard()).map(({ text }) => text);
      return [requestPrompt(request, { baseBranch, commands, instructions }), ...said];
    },
    mirror,
    commits: [head(), baseCommit],
    signal,
  });
}
