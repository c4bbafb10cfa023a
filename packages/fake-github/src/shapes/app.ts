import type { App, Installation } from '../state/model.ts';
import { nodeId, type World } from '../state/world.ts';
import { accountShape } from './account.ts';

export function appShape(world: World, app: App) {
  return {
    id: app.id,
    client_id: app.clientId,
    slug: app.slug,
    node_id: nodeId('A', app.id),
    owner: accountShape(world, app.owner),
    name: app.name,
    description: app.description,
    external_url: app.externalUrl,
    html_url: `${world.url}/apps/${app.slug}`,
    created_at: app.createdAt,
    updated_at: app.createdAt,
    permissions: app.permissions,
    events: app.events,
  };
}

/** `GET /app` counts the installations too. */
export function ownAppShape(world: World, app: App) {
  const installations = world.installations.filter((each) => each.app === app);
  return { ...appShape(world, app), installations_count: installations.length };
}

export function installationShape(world: World, installation: Installation) {
  const { id, app, account, suspendedBy } = installation;
  return {
    id,
    client_id: app.clientId,
    account: accountShape(world, account),
    repository_selection: installation.repositoryIds === 'all' ? 'all' : 'selected',
    access_tokens_url: `${world.apiUrl}/app/installations/${id}/access_tokens`,
    repositories_url: `${world.apiUrl}/installation/repositories`,
    html_url:
      account.type === 'Organization'
        ? `${world.url}/organizations/${account.login}/settings/installations/${id}`
        : `${world.url}/settings/installations/${id}`,
    app_id: app.id,
    app_slug: app.slug,
    target_id: account.id,
    target_type: account.type,
    permissions: installation.permissions,
    events: installation.events,
    created_at: installation.createdAt,
    updated_at: installation.suspendedAt ?? installation.createdAt,
    single_file_name: null,
    has_multiple_single_files: false,
    single_file_paths: [],
    suspended_by: suspendedBy ? accountShape(world, suspendedBy) : null,
    suspended_at: installation.suspendedAt ?? null,
  };
}
