import type { Commit } from '../git/commits.ts';
import type { ChangedFile } from '../git/compare.ts';
import type { Repository } from '../state/model.ts';
import { nodeId, type World } from '../state/world.ts';
import { accountShape } from './account.ts';
import { repositoryPage, repositoryUrl } from './repository.ts';

const unsigned = { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null };

export function commitShape(world: World, repository: Repository, commit: Commit) {
  const base = repositoryUrl(world, repository);
  const url = `${base}/commits/${commit.sha}`;
  return {
    url,
    sha: commit.sha,
    node_id: nodeId('C', commit.sha),
    html_url: `${repositoryPage(world, repository)}/commit/${commit.sha}`,
    comments_url: `${url}/comments`,
    commit: {
      url: `${base}/git/commits/${commit.sha}`,
      author: commit.author,
      committer: commit.committer,
      message: commit.message,
      comment_count: 0,
      tree: { sha: commit.tree, url: `${base}/git/trees/${commit.tree}` },
      verification: unsigned,
    },
    author: linkedAccount(world, commit.author.email),
    committer: linkedAccount(world, commit.committer.email),
    parents: commit.parents.map((sha) => ({
      sha,
      url: `${base}/commits/${sha}`,
      html_url: `${repositoryPage(world, repository)}/commit/${sha}`,
    })),
  };
}

/** GitHub links commits to accounts by e-mail address: `123+ada@users.noreply.github.com` and verified ones. */
function linkedAccount(world: World, email: string) {
  const login = /^(?:\d+\+)?([^@]+)@users\.noreply\./.exec(email)?.[1] ?? email.split('@')[0] ?? '';
  const account = world.accounts.get(login.toLowerCase());
  return account ? accountShape(world, account) : null;
}

export function fileShape(world: World, repository: Repository, sha: string, file: ChangedFile) {
  const path = file.filename.split('/').map(encodeURIComponent).join('/');
  const page = repositoryPage(world, repository);
  return {
    ...file,
    blob_url: `${page}/blob/${sha}/${path}`,
    raw_url: `${page}/raw/${sha}/${path}`,
    contents_url: `${repositoryUrl(world, repository)}/contents/${path}?ref=${sha}`,
  };
}

/** How check suites and pushes describe a commit. */
export function simpleCommitShape({ sha, tree, message, author, committer }: Commit) {
  return {
    id: sha,
    tree_id: tree,
    message,
    timestamp: committer.date,
    author: { name: author.name, email: author.email },
    committer: { name: committer.name, email: committer.email },
  };
}
