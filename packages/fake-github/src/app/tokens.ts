/** Creates tokens. Only their digests are stored. */
import { randomBytes } from 'node:crypto';
import { ApiError } from '../http/api-error.ts';
import { covers } from '../http/authorize.ts';
import type { Account, Installation, Level, Permissions, Repository, Token } from '../state/model.ts';
import { digestOf, type World } from '../state/world.ts';

const prefixes = { installation: 'ghs_', classic: 'ghp_', 'fine-grained': 'github_pat_' } as const;
const levels: Level[] = ['read', 'write', 'admin'];

function createToken(
  world: World,
  token: Omit<Token, 'id' | 'digest' | 'isRevoked'>,
): { token: Token; text: string } {
  const text = `${prefixes[token.kind]}${randomBytes(27).toString('base64url').replaceAll(/[-_]/g, '0')}`;
  const stored: Token = { ...token, id: world.nextId(), digest: digestOf(text), isRevoked: false };
  world.tokens.set(stored.digest, stored);
  return { token: stored, text };
}

export interface TokenRequest {
  repository_ids?: number[] | undefined;
  repositories?: string[] | undefined;
  permissions?: Permissions | undefined;
}

export function createInstallationToken(
  world: World,
  installation: Installation,
  request: TokenRequest,
  lifetimeMs: number,
): { token: Token; text: string; repositories: Repository[] | undefined } {
  if (installation.suspendedAt !== undefined) throw new ApiError(403, 'This installation has been suspended');
  const repositories = chooseRepositories(world, installation, request);
  const ids = repositories ? new Set(repositories.map(({ id }) => id)) : installation.repositoryIds;
  const created = createToken(world, {
    kind: 'installation',
    account: installation.app.bot,
    installation,
    permissions: choosePermissions(installation, request.permissions),
    scopes: [],
    repositoryIds: ids === 'all' ? 'all' : new Set(ids),
    expiresAt: world.nowMs() + lifetimeMs,
  });
  return { ...created, repositories };
}

/** Undefined if the request names none: then the token is valid for all repositories of the installation. */
function chooseRepositories(
  world: World,
  installation: Installation,
  { repository_ids, repositories }: TokenRequest,
): Repository[] | undefined {
  if (!repository_ids && !repositories) return undefined;
  const own = listInstalled(world, installation);
  const ids = (repository_ids ?? []).map((id) => own.find((each) => each.id === id));
  const names = (repositories ?? []).map((name) =>
    own.find((each) => each.name.toLowerCase() === name.toLowerCase()),
  );
  return [...new Set([...ids, ...names])].map((each) => {
    if (each) return each;
    throw new ApiError(
      422,
      'There is at least one repository that does not exist or is not accessible to the parent installation.',
    );
  });
}

function choosePermissions({ permissions }: Installation, wanted: Permissions | undefined): Permissions {
  if (!wanted) return { ...permissions };
  for (const [name, level] of Object.entries(wanted)) {
    const has = permissions[name] ?? (name === 'metadata' ? 'read' : undefined);
    if (has === undefined || levels.indexOf(has) < levels.indexOf(level))
      throw new ApiError(422, 'The permissions requested are not granted to this installation.');
  }
  return { metadata: 'read', ...wanted };
}

export function listInstalled(world: World, { account, repositoryIds }: Installation): Repository[] {
  return world.repositories.filter((each) => each.owner === account && covers(repositoryIds, each));
}

export function createPersonalToken(
  world: World,
  account: Account,
  options: { scopes: string[] } | { permissions: Permissions; repositories: Repository[] },
  expiresAt: number | undefined,
): { token: Token; text: string } {
  const isClassic = 'scopes' in options;
  return createToken(world, {
    kind: isClassic ? 'classic' : 'fine-grained',
    account,
    permissions: isClassic ? {} : { metadata: 'read', ...options.permissions },
    scopes: isClassic ? options.scopes : [],
    repositoryIds: isClassic ? 'all' : new Set(options.repositories.map(({ id }) => id)),
    expiresAt,
  });
}
