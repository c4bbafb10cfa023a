/** Which Apps receive an event, and what the payload contains for each. */

import { covers } from '../http/authorize.ts';
import { accountShape, organizationShape } from '../shapes/account.ts';
import { repositoryShape } from '../shapes/repository.ts';
import type { App, Installation, Repository } from '../state/model.ts';
import { type GithubEvent, nodeId, type World } from '../state/world.ts';

/** One of these permissions is required to receive the event. */
const eventPermissions: Record<string, string[]> = {
  issues: ['issues'],
  issue_comment: ['issues', 'pull_requests'],
  pull_request: ['pull_requests'],
  pull_request_review: ['pull_requests'],
  pull_request_review_comment: ['pull_requests'],
  pull_request_review_thread: ['pull_requests'],
  check_run: ['checks'],
  check_suite: ['checks'],
  push: ['contents'],
  status: ['statuses'],
  repository: ['metadata'],
};

/** Every App receives these, without a subscription. */
const unconditional = ['installation', 'installation_repositories', 'github_app_authorization', 'ping'];

export function listReceivers(world: World, event: GithubEvent) {
  return world.apps
    .filter((app) => event.app === undefined || event.app === app)
    .flatMap((app) => {
      if (unconditional.includes(event.name)) return [{ app, installation: event.installation }];
      const installation = event.repository && findInstallation(world, app, event.repository);
      return installation && receives(installation, event.name) ? [{ app, installation }] : [];
    })
    .map(({ app, installation }) => ({
      app,
      installation,
      payload: composePayload(world, event, installation),
    }));
}

function findInstallation(world: World, app: App, repository: Repository): Installation | undefined {
  return world.installations.find(
    (each) => each.app === app && each.account === repository.owner && covers(each.repositoryIds, repository),
  );
}

function receives({ events, permissions, suspendedAt }: Installation, name: string): boolean {
  if (suspendedAt !== undefined || !events.includes(name)) return false;
  return eventPermissions[name]?.some((permission) => permissions[permission] !== undefined) ?? false;
}

function composePayload(world: World, event: GithubEvent, installation: Installation | undefined) {
  const { action, repository, sender, payload } = event;
  const isInstallation = event.installation !== undefined;
  return {
    ...(action !== undefined && { action }),
    ...payload,
    ...(repository && { repository: repositoryShape(world, repository) }),
    ...(repository?.owner.type === 'Organization' && {
      organization: organizationShape(world, repository.owner),
    }),
    ...(installation &&
      !isInstallation && {
        installation: { id: installation.id, node_id: nodeId('MDIzOkludGVncmF0aW9u', installation.id) },
      }),
    sender: accountShape(world, sender),
  };
}
