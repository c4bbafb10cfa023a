/** The labels and reviewers of a pull request, from the config or CODEOWNERS of the base commit. */
import { readRepositoryConfig } from '@fettle/contract/repository-config';
import { readBlobsAt } from '@fettle/git';
import { findOwners } from './code-owners.ts';

/** Where GitHub looks for it. The first one counts. */
const ownerFiles = ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS'];
const configPath = '.fettle/config.yml';
const maxReviewers = 15;

export interface Publishing {
  labels: string[];
  reviewers: string[];
}

export async function readPublishing(
  mirror: string,
  baseCommit: string,
  changedPaths: string[],
): Promise<Publishing> {
  const files = await readBlobsAt(mirror, baseCommit, [configPath, ...ownerFiles]);
  const textOf = (path: string) => {
    const file = files.get(path);
    return file?.kind === 'blob' ? file.bytes.toString('utf8') : undefined;
  };
  // An invalid config has ended the operation before it got here.
  const reading = readRepositoryConfig(textOf(configPath) ?? '');
  const { labels = [], reviewers } = (reading.ok && reading.config.pullRequest) || {};
  const owners = ownerFiles.map(textOf).find((text) => text !== undefined) ?? '';
  return { labels, reviewers: (reviewers ?? findOwners(owners, changedPaths)).slice(0, maxReviewers) };
}
