import { runGit } from '../process/git-process.ts';
import { assertObjectId } from '../process/names.ts';
import { type Identity, identityEnvironment } from './identity.ts';

export interface CommitProposalOptions {
  mirror: string;
  /** The commit with the tree of the proposal: the last checkpoint. */
  tree: string;
  base: string;
  message: string;
  author: Identity;
  committer: Identity;
  dateSeconds: number;
}

/** Creates one commit on the base. The same options return the same hash, so a retry pushes the same commit. */
export async function commitProposal(options: CommitProposalOptions): Promise<string> {
  const { mirror, tree, base, message, author, committer, dateSeconds } = options;
  assertObjectId(tree);
  assertObjectId(base);
  const { stdout } = await runGit({
    gitDir: mirror,
    args: ['commit-tree', `${tree}^{tree}`, '-p', `${base}^{commit}`, '-F', '-'],
    env: {
      ...identityEnvironment('AUTHOR', author, dateSeconds),
      ...identityEnvironment('COMMITTER', committer, dateSeconds),
    },
    input: message,
  });
  return stdout.toString().trim();
}
