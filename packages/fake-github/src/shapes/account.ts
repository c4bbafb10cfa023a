import type { Account, Actor, Repository } from '../state/model.ts';
import { nodeId, type World } from '../state/world.ts';

export function accountShape(world: World, account: Account) {
  const { login, id, type } = account;
  const url = `${world.apiUrl}/users/${encodeURIComponent(login)}`;
  return {
    login,
    id,
    node_id: nodeId(type === 'Organization' ? 'O' : type === 'Bot' ? 'BOT' : 'U', id),
    avatar_url: `${world.url}/avatars/u/${id}`,
    gravatar_id: '',
    url,
    html_url: type === 'Bot' ? `${world.url}/apps/${login.replace('[bot]', '')}` : `${world.url}/${login}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type,
    user_view_type: 'public',
    site_admin: false,
  };
}

export function publicUserShape(world: World, account: Account) {
  return {
    ...accountShape(world, account),
    name: account.name ?? null,
    company: null,
    blog: '',
    location: null,
    email: null,
    hireable: null,
    bio: null,
    public_repos: 0,
    public_gists: 0,
    followers: 0,
    following: 0,
    created_at: '2020-01-01T00:00:00Z',
    updated_at: '2020-01-01T00:00:00Z',
  };
}

export function associationOf(repository: Repository, { account }: Actor): string {
  if (repository.owner.id === account.id) return 'OWNER';
  if (repository.roles.has(account.login))
    return repository.owner.type === 'Organization' ? 'MEMBER' : 'COLLABORATOR';
  const hasMerged = [...repository.issues.values()].some(
    ({ author, pull }) => pull?.merged && author.account.id === account.id,
  );
  return hasMerged ? 'CONTRIBUTOR' : 'NONE';
}

/** How webhooks describe an organization. */
export function organizationShape(world: World, { id, login }: Account) {
  const url = `${world.apiUrl}/orgs/${login}`;
  return {
    login,
    id,
    node_id: nodeId('O', id),
    url,
    repos_url: `${url}/repos`,
    events_url: `${url}/events`,
    hooks_url: `${url}/hooks`,
    issues_url: `${url}/issues`,
    members_url: `${url}/members{/member}`,
    public_members_url: `${url}/public_members{/member}`,
    avatar_url: `${world.url}/avatars/u/${id}`,
    description: '',
  };
}
