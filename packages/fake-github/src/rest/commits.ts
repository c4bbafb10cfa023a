import { type Commit, listCommits, readCommit } from '../git/commits.ts';
import { countCommits, listChangedFiles, mergeBase } from '../git/compare.ts';
import { resolveCommit } from '../git/refs.ts';
import { ApiError, notFound } from '../http/api-error.ts';
import { type Endpoint, ok, repositoryRoute } from '../http/endpoint.ts';
import { paginate } from '../http/paginate.ts';
import { commitShape, fileShape } from '../shapes/commit.ts';
import { pullShape } from '../shapes/pull.ts';
import { repositoryPage, repositoryUrl } from '../shapes/repository.ts';
import { listPulls } from '../state/find.ts';
import type { Repository } from '../state/model.ts';

const needs = { contents: 'read' } as const;

export const commitEndpoints: Endpoint[] = [
  repositoryRoute({
    method: 'GET',
    path: '/commits',
    needs,
    run: async ({ place: { world, repository }, ...call }) => {
      const sha = await requireCommit(repository, call.query.sha ?? repository.defaultBranch);
      const commits = await listCommits(repository.folder, sha);
      return paginate(call, commits, (commit) => commitShape(world, repository, commit));
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/commits/{commit_sha}/pulls',
    needs: { pull_requests: 'read' },
    run: async ({ place: { world, repository }, params: { commit_sha = '' }, ...call }) => {
      const sha = await requireCommit(repository, commit_sha);
      const pulls = listPulls(repository).filter(
        ({ pull }) => pull.head.sha === sha || pull.merged?.sha === sha,
      );
      return paginate(call, pulls, (each) => pullShape(world, repository, each));
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/commits/{ref}',
    needs,
    run: async ({ place: { world, repository }, params: { ref = '' } }) => {
      const sha = await requireCommit(repository, ref);
      const commit = await readCommit(repository.folder, sha);
      const files = await listChangedFiles(repository.folder, commit.parents[0], sha);
      const sum = (key: 'additions' | 'deletions' | 'changes') =>
        files.reduce((total, file) => total + file[key], 0);
      return ok({
        ...commitShape(world, repository, commit),
        stats: { total: sum('changes'), additions: sum('additions'), deletions: sum('deletions') },
        files: files.map((file) => fileShape(world, repository, sha, file)),
      });
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/compare/{basehead}',
    needs,
    run: async ({ place: { world, repository }, params: { basehead = '' } }) => {
      const [base = '', head = ''] = basehead.split('...').map((name) => name.split(':').at(-1) ?? '');
      const [baseSha, headSha] = [
        await requireCommit(repository, base),
        await requireCommit(repository, head),
      ];
      const fork = await mergeBase(repository.folder, baseSha, headSha);
      if (fork === undefined) throw new ApiError(404, `No common ancestor between ${base} and ${head}.`);
      const { ahead, behind } = await countCommits(repository.folder, baseSha, headSha);
      const commits = ahead === 0 ? [] : await listCommits(repository.folder, `${baseSha}..${headSha}`);
      const files = await listChangedFiles(repository.folder, fork, headSha);
      const shape = (commit: Commit) => commitShape(world, repository, commit);
      const page = `${repositoryPage(world, repository)}/compare/${base}...${head}`;
      return ok({
        url: `${repositoryUrl(world, repository)}/compare/${base}...${head}`,
        html_url: page,
        permalink_url: `${repositoryPage(world, repository)}/compare/${baseSha}...${headSha}`,
        diff_url: `${page}.diff`,
        patch_url: `${page}.patch`,
        base_commit: shape(await readCommit(repository.folder, baseSha)),
        merge_base_commit: shape(await readCommit(repository.folder, fork)),
        status: statusOf(ahead, behind),
        ahead_by: ahead,
        behind_by: behind,
        total_commits: ahead,
        commits: commits.reverse().map(shape),
        files: files.map((file) => fileShape(world, repository, headSha, file)),
      });
    },
  }),
];

function statusOf(ahead: number, behind: number): string {
  if (ahead > 0) return behind > 0 ? 'diverged' : 'ahead';
  return behind > 0 ? 'behind' : 'identical';
}

export async function requireCommit(repository: Repository, name: string): Promise<string> {
  const sha = await resolveCommit(repository.folder, name);
  if (sha === undefined)
    throw isHash(name) ? new ApiError(422, `No commit found for SHA: ${name}`) : notFound();
  return sha;
}

function isHash(name: string): boolean {
  return /^[0-9a-f]{40}$/.test(name);
}
