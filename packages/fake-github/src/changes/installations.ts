import { covers } from '../http/authorize.ts';
import { installationShape } from '../shapes/app.ts';
import { fullName } from '../state/find.ts';
import type { Account, App, Installation, Permissions, Repository } from '../state/model.ts';
import { nodeId, type World } from '../state/world.ts';

export function createInstallation(
  world: World,
  app: App,
  options: { account: Account; repositories: Repository[] | 'all'; permissions?: Permissions },
): Installation {
  const { account, repositories } = options;
  const installation: Installation = {
    id: world.nextId(),
    app,
    account,
    permissions: { metadata: 'read', ...(options.permissions ?? app.permissions) },
    events: [...app.events],
    repositoryIds: repositories === 'all' ? 'all' : new Set(repositories.map(({ id }) => id)),
    suspendedAt: undefined,
    suspendedBy: undefined,
    createdAt: world.now(),
  };
  world.installations.push(installation);
  emitInstallation(world, installation, 'created', account);
  return installation;
}

/** All tokens of the installation stop working. */
export function deleteInstallation(world: World, installation: Installation, sender: Account): void {
  world.installations = world.installations.filter((each) => each !== installation);
  emitInstallation(world, installation, 'deleted', sender);
}

export function setSuspended(
  world: World,
  installation: Installation,
  by: Account | undefined,
  sender: Account,
): void {
  installation.suspendedBy = by;
  installation.suspendedAt = by && world.now();
  emitInstallation(world, installation, by ? 'suspend' : 'unsuspend', sender);
}

export function acceptPermissions(
  world: World,
  installation: Installation,
  permissions: Permissions,
  sender: Account,
): void {
  installation.permissions = { metadata: 'read', ...permissions };
  emitInstallation(world, installation, 'new_permissions_accepted', sender);
}

export function changeInstalledRepositories(
  world: World,
  installation: Installation,
  change: { added?: Repository[]; removed?: Repository[]; sender: Account },
): void {
  const { added = [], removed = [], sender } = change;
  const own = world.repositories.filter((each) => each.owner === installation.account);
  const ids = new Set(own.filter((each) => covers(installation.repositoryIds, each)).map(({ id }) => id));
  for (const { id } of added) ids.add(id);
  for (const { id } of removed) ids.delete(id);
  installation.repositoryIds = ids;
  const emit = (action: 'added' | 'removed') =>
    world.emit({
      name: 'installation_repositories',
      action,
      sender,
      installation,
      app: installation.app,
      payload: {
        installation: installationShape(world, installation),
        repository_selection: 'selected',
        repositories_added: action === 'added' ? added.map(briefRepositoryShape) : [],
        repositories_removed: action === 'removed' ? removed.map(briefRepositoryShape) : [],
        requester: null,
      },
    });
  if (added.length > 0) emit('added');
  if (removed.length > 0) emit('removed');
}

function emitInstallation(world: World, installation: Installation, action: string, sender: Account): void {
  const own = world.repositories.filter((each) => each.owner === installation.account);
  const repositories = own.filter((each) => covers(installation.repositoryIds, each));
  world.emit({
    name: 'installation',
    action,
    sender,
    installation,
    app: installation.app,
    payload: {
      installation: installationShape(world, installation),
      ...(action !== 'unsuspend' &&
        action !== 'suspend' && { repositories: repositories.map(briefRepositoryShape) }),
      requester: null,
    },
  });
}

function briefRepositoryShape(repository: Repository) {
  const { id, name, isPrivate } = repository;
  return { id, node_id: nodeId('R', id), name, full_name: fullName(repository), private: isPrivate };
}
