/** What a caller may do with a repository. */
import type { Place } from '../changes/place.ts';
import { findMovedRepository, findRepository } from '../state/find.ts';
import type { Account, Level, Permissions, Repository, Role, Token } from '../state/model.ts';
import type { World } from '../state/world.ts';
import { ApiError, badCredentials, notFound } from './api-error.ts';
import type { Caller } from './authenticate.ts';
import { type Access, actorOf } from './endpoint.ts';

const levels: Level[] = ['read', 'write', 'admin'];
const roles: Role[] = ['read', 'triage', 'write', 'maintain', 'admin'];

export function requirePlace(world: World, caller: Caller, name: string, access: Access): Place {
  const repository = findRepository(world, name) ?? findMovedRepository(world, name);
  if (!repository || !canSee(caller, repository)) throw notFound();
  const denial = judge(caller, repository, access);
  if (denial) throw denial;
  const actor = actorOf(caller);
  return { world, repository, actor: actor ?? { account: anonymous } };
}

const anonymous: Account = { id: 0, login: 'anonymous', name: undefined, type: 'User' };

/** Undefined if the call is allowed. */
function judge(caller: Caller, repository: Repository, access: Access): ApiError | undefined {
  const writes = access.needs.some((each) => Object.values(each).some((level) => level !== 'read'));
  if (!writes && !repository.isPrivate) return undefined;
  if (caller.kind === 'anonymous') return new ApiError(401, 'Requires authentication');
  if (caller.kind === 'app') return badCredentials('A JSON web token could not be decoded');
  const { token } = caller;
  const granted = permissionsOf(token, repository);
  if (granted && access.needs.some((each) => includesAll(granted, each))) {
    if (token.kind === 'installation' || hasRole(repository, token.account, access.role)) return undefined;
    return new ApiError(403, 'Must have push access to this repository');
  }
  const accepted = access.needs.map(formatNeeds).join('; ');
  const holder = token.kind === 'installation' ? 'integration' : 'personal access token';
  return new ApiError(403, `Resource not accessible by ${holder}`, {
    headers: { 'x-accepted-github-permissions': accepted },
  });
}

export function formatNeeds(needs: Permissions): string {
  return Object.entries(needs)
    .map(([name, level]) => `${name}=${level}`)
    .join(',');
}

function includesAll(granted: Permissions | 'everything', needs: Permissions): boolean {
  if (granted === 'everything') return true;
  return Object.entries(needs).every(([name, level]) => {
    const has = name === 'metadata' ? (granted[name] ?? 'read') : granted[name];
    return has !== undefined && levels.indexOf(has) >= levels.indexOf(level);
  });
}

/** The permissions of a token on a repository. Undefined if it has no access to it. */
function permissionsOf(token: Token, repository: Repository): Permissions | 'everything' | undefined {
  if (!covers(token.repositoryIds, repository)) return undefined;
  if (token.kind === 'classic') {
    const { scopes } = token;
    const isGranted = scopes.includes('repo') || (!repository.isPrivate && scopes.includes('public_repo'));
    return isGranted ? 'everything' : undefined;
  }
  const { installation } = token;
  if (!installation) return token.permissions;
  if (installation.suspendedAt !== undefined) throw new ApiError(403, 'This installation has been suspended');
  if (!isInstalledOn(token, repository)) return undefined;
  return intersect(token.permissions, installation.permissions);
}

function isInstalledOn({ installation }: Token, repository: Repository): boolean {
  return (
    installation !== undefined &&
    installation.account === repository.owner &&
    covers(installation.repositoryIds, repository)
  );
}

export function covers(ids: Set<number> | 'all', { id }: Repository): boolean {
  return ids === 'all' || ids.has(id);
}

function intersect(a: Permissions, b: Permissions): Permissions {
  const pairs = Object.entries(a).flatMap(([name, level]) => {
    const other = b[name];
    return other === undefined
      ? []
      : [[name, levels[Math.min(levels.indexOf(level), levels.indexOf(other))]]];
  });
  return Object.fromEntries(pairs);
}

/** Private repositories do not exist for callers without access. */
export function canSee(caller: Caller, repository: Repository): boolean {
  if (!repository.isPrivate) return true;
  if (caller.kind !== 'token') return false;
  if (permissionsOf(caller.token, repository) === undefined) return false;
  return caller.token.kind === 'installation' || hasRole(repository, caller.token.account, 'read');
}

export function roleOf(repository: Repository, account: Account): Role | undefined {
  if (repository.owner === account) return 'admin';
  return repository.roles.get(account.login) ?? (repository.isPrivate ? undefined : 'read');
}

function hasRole(repository: Repository, account: Account, role: Role): boolean {
  const has = roleOf(repository, account);
  return has !== undefined && roles.indexOf(has) >= roles.indexOf(role);
}

/** Git asks for access in the same way as REST. */
export function judgeGit(
  caller: Caller,
  repository: Repository,
  level: 'read' | 'write',
): { allowed: true; mayChangeWorkflows: boolean } | { allowed: false; error: ApiError } {
  const access: Access = { needs: [{ contents: level }], role: level };
  const error = judge(caller, repository, access);
  if (error) return { allowed: false, error };
  const workflows: Access = { needs: [{ workflows: 'write' }], role: 'write' };
  const isClassic = caller.kind === 'token' && caller.token.kind === 'classic';
  const mayChangeWorkflows = isClassic
    ? caller.token.scopes.includes('workflow')
    : judge(caller, repository, workflows) === undefined;
  return { allowed: true, mayChangeWorkflows };
}
