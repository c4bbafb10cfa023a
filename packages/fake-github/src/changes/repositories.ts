import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type FileChanges, writeCommit } from '../git/commits.ts';
import { createBareRepository, updateRef } from '../git/refs.ts';
import { runGit } from '../git/run-git.ts';
import { accountShape, organizationShape } from '../shapes/account.ts';
import { findRepository, fullName } from '../state/find.ts';
import type { Account, Repository, Role } from '../state/model.ts';
import type { World } from '../state/world.ts';
import { identityOf } from './merge.ts';

export interface RepositoryOptions {
  owner: Account;
  name: string;
  isPrivate?: boolean | undefined;
  description?: string | undefined;
  defaultBranch?: string | undefined;
  roles?: Record<string, Role> | undefined;
  /** The first commit. */
  files?: FileChanges | undefined;
  /** A repository on disk to copy instead. */
  copyOf?: string | undefined;
  parentId?: number | undefined;
}

export async function createRepository(world: World, options: RepositoryOptions): Promise<Repository> {
  const { owner, name, isPrivate = true, defaultBranch = 'main', roles = {} } = options;
  if (findRepository(world, `${owner.login}/${name}`))
    throw new Error(`${owner.login}/${name} exists already`);
  const id = world.nextId();
  const now = world.now();
  const repository: Repository = {
    id,
    owner,
    name,
    isPrivate,
    description: options.description,
    defaultBranch,
    folder: join(world.folder, 'repositories', `${id}.git`),
    parentId: options.parentId,
    roles: new Map(Object.entries(roles)),
    issues: new Map(),
    labels: new Map(),
    suites: [],
    statuses: [],
    workflowRuns: [],
    protectedBranches: new Map(),
    createdAt: now,
    updatedAt: now,
    pushedAt: now,
  };
  await mkdir(dirname(repository.folder), { recursive: true });
  await createBareRepository(repository.folder, defaultBranch);
  if (options.copyOf !== undefined)
    await runGit(repository.folder, ['fetch', '--quiet', options.copyOf, '+refs/heads/*:refs/heads/*']);
  if (options.files) {
    const author = identityOf({ account: owner });
    const sha = await writeCommit(repository.folder, {
      parent: undefined,
      files: options.files,
      message: 'Initial commit',
      author,
    });
    await updateRef(repository.folder, `refs/heads/${defaultBranch}`, sha);
  }
  world.repositories.push(repository);
  return repository;
}

export function forkRepository(world: World, parent: Repository, owner: Account): Promise<Repository> {
  const { name, isPrivate, defaultBranch, id, folder } = parent;
  return createRepository(world, { owner, name, isPrivate, defaultBranch, parentId: id, copyOf: folder });
}

/** The old name redirects to the new one. */
export function renameRepository(world: World, repository: Repository, name: string, sender: Account): void {
  const from = repository.name;
  world.formerNames.set(fullName(repository).toLowerCase(), repository.id);
  repository.name = name;
  world.formerNames.delete(fullName(repository).toLowerCase());
  const changes = { repository: { name: { from } } };
  world.emit({ name: 'repository', action: 'renamed', repository, sender, payload: { changes } });
}

export function transferRepository(
  world: World,
  repository: Repository,
  owner: Account,
  sender: Account,
): void {
  const previous = repository.owner;
  world.formerNames.set(fullName(repository).toLowerCase(), repository.id);
  repository.owner = owner;
  world.formerNames.delete(fullName(repository).toLowerCase());
  const from =
    previous.type === 'Organization'
      ? { organization: organizationShape(world, previous) }
      : { user: accountShape(world, previous) };
  const changes = { owner: { from } };
  world.emit({ name: 'repository', action: 'transferred', repository, sender, payload: { changes } });
}
