import { fullName } from '../state/find.ts';
import type { Repository, Role } from '../state/model.ts';
import { nodeId, type World } from '../state/world.ts';
import { accountShape } from './account.ts';

export function repositoryUrl(world: World, repository: Repository): string {
  return `${world.apiUrl}/repos/${fullName(repository)}`;
}

export function repositoryPage(world: World, repository: Repository): string {
  return `${world.url}/${fullName(repository)}`;
}

/** The shape of `full-repository`, which contains those of `repository` and `minimal-repository`. */
export function repositoryShape(world: World, repository: Repository) {
  const { id, name, isPrivate, owner } = repository;
  const htmlUrl = repositoryPage(world, repository);
  const openIssues = [...repository.issues.values()].filter(({ state }) => state === 'open').length;
  const forks = world.repositories.filter(({ parentId }) => parentId === id).length;
  return {
    id,
    node_id: nodeId('R', id),
    name,
    full_name: fullName(repository),
    private: isPrivate,
    owner: accountShape(world, owner),
    html_url: htmlUrl,
    description: repository.description ?? null,
    fork: repository.parentId !== undefined,
    ...urlsOf(repositoryUrl(world, repository)),
    git_url: `git:${htmlUrl.slice(htmlUrl.indexOf('//'))}.git`,
    ssh_url: `git@127.0.0.1:${fullName(repository)}.git`,
    clone_url: `${htmlUrl}.git`,
    svn_url: htmlUrl,
    mirror_url: null,
    homepage: null,
    language: null,
    size: 1,
    forks,
    forks_count: forks,
    network_count: forks,
    stargazers_count: 0,
    watchers: 0,
    watchers_count: 0,
    subscribers_count: 0,
    open_issues: openIssues,
    open_issues_count: openIssues,
    default_branch: repository.defaultBranch,
    is_template: false,
    topics: [],
    has_issues: true,
    has_projects: false,
    has_wiki: false,
    has_pages: false,
    has_downloads: false,
    has_discussions: false,
    archived: false,
    disabled: false,
    visibility: isPrivate ? 'private' : 'public',
    license: null,
    allow_forking: true,
    web_commit_signoff_required: false,
    custom_properties: {},
    pushed_at: repository.pushedAt,
    created_at: repository.createdAt,
    updated_at: repository.updatedAt,
  };
}

const ranks: Role[] = ['read', 'triage', 'write', 'maintain', 'admin'];

export function permissionsShape(role: Role) {
  const rank = ranks.indexOf(role);
  return { pull: true, triage: rank > 0, push: rank > 1, maintain: rank > 2, admin: rank > 3 };
}

const urlSuffixes = {
  url: '',
  archive_url: '/{archive_format}{/ref}',
  assignees_url: '/assignees{/user}',
  blobs_url: '/git/blobs{/sha}',
  branches_url: '/branches{/branch}',
  collaborators_url: '/collaborators{/collaborator}',
  comments_url: '/comments{/number}',
  commits_url: '/commits{/sha}',
  compare_url: '/compare/{base}...{head}',
  contents_url: '/contents/{+path}',
  contributors_url: '/contributors',
  deployments_url: '/deployments',
  downloads_url: '/downloads',
  events_url: '/events',
  forks_url: '/forks',
  git_commits_url: '/git/commits{/sha}',
  git_refs_url: '/git/refs{/sha}',
  git_tags_url: '/git/tags{/sha}',
  hooks_url: '/hooks',
  issue_comment_url: '/issues/comments{/number}',
  issue_events_url: '/issues/events{/number}',
  issues_url: '/issues{/number}',
  keys_url: '/keys{/key_id}',
  labels_url: '/labels{/name}',
  languages_url: '/languages',
  merges_url: '/merges',
  milestones_url: '/milestones{/number}',
  notifications_url: '/notifications{?since,all,participating}',
  pulls_url: '/pulls{/number}',
  releases_url: '/releases{/id}',
  stargazers_url: '/stargazers',
  statuses_url: '/statuses/{sha}',
  subscribers_url: '/subscribers',
  subscription_url: '/subscription',
  tags_url: '/tags',
  teams_url: '/teams',
  trees_url: '/git/trees{/sha}',
};

function urlsOf(base: string): Record<keyof typeof urlSuffixes, string> {
  const pairs = Object.entries(urlSuffixes).map(([name, suffix]) => [name, `${base}${suffix}`]);
  return Object.fromEntries(pairs);
}
