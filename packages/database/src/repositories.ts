import { type ForgeName, forgeNameSchema, newId } from '@fettle/contract';
import type { Client, Transaction } from './client.ts';
import type { Repository as RepositoryRow } from './generated/client.ts';

export interface Repository {
  id: string;
  organizationId: string;
  forge: ForgeName;
  url: string;
  name: string;
  /** Set on GitHub. It stays when the repository is renamed or transferred. */
  githubId?: number | undefined;
  installationId?: number | undefined;
  defaultBranch?: string | undefined;
}

export async function ensureRepository(client: Client, input: Omit<Repository, 'id'>): Promise<Repository> {
  if (input.githubId !== undefined) return ensureGithubRepository(client, input, input.githubId);
  const { organizationId, url } = input;
  const where = { organizationId_url: { organizationId, url } };
  const known = await client.repository.findUnique({ where });
  if (known) return toRepository(known);
  // Another process may insert the row between these statements. Then that row is used.
  await client.repository.createMany({
    data: [{ id: newId('repo'), organizationId, url, forge: input.forge, name: input.name }],
    skipDuplicates: true,
  });
  return toRepository(await client.repository.findUniqueOrThrow({ where }));
}

/** Keeps the row of a repository that was renamed, and of one that was used as a plain git host before. */
async function ensureGithubRepository(
  client: Client,
  input: Omit<Repository, 'id'>,
  githubId: number,
): Promise<Repository> {
  const { organizationId, forge, url, name, installationId = null, defaultBranch = null } = input;
  const data = { forge, url, name, installationId, defaultBranch, githubId };
  return client.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('fettle repositories'))`;
    const known = await tx.repository.findUnique({
      where: { organizationId_githubId: { organizationId, githubId } },
    });
    const namesake = await tx.repository.findUnique({
      where: { organizationId_url: { organizationId, url } },
    });
    if (namesake && namesake.id !== known?.id && (known || namesake.githubId !== null))
      await freeUrl(tx, namesake);
    const found = known ?? (namesake?.githubId === null ? namesake : undefined);
    const row = found
      ? await tx.repository.update({ where: { id: found.id }, data })
      : await tx.repository.create({ data: { id: newId('repo'), organizationId, ...data } });
    return toRepository(row);
  });
}

/** Another repository has this name now. The row gets its new address when its own repository is looked up. */
async function freeUrl(tx: Transaction, { id, url }: RepositoryRow): Promise<void> {
  await tx.repository.update({ where: { id }, data: { url: `${url}#${id}` } });
}

export async function getRepository(client: Client, id: string): Promise<Repository | undefined> {
  const row = await client.repository.findUnique({ where: { id } });
  return row ? toRepository(row) : undefined;
}

/** By `owner/name`, which does not depend on case on GitHub. */
export async function findRepositoryByName(
  client: Client,
  { organizationId, forge, name }: { organizationId: string; forge: string; name: string },
): Promise<Repository | undefined> {
  const where = { organizationId, forge, name: { equals: name, mode: 'insensitive' as const } };
  const row = await client.repository.findFirst({ where });
  return row ? toRepository(row) : undefined;
}

export async function listRepositories(client: Client, forge: string): Promise<Repository[]> {
  return (await client.repository.findMany({ where: { forge } })).map(toRepository);
}

export function toRepository(row: RepositoryRow): Repository {
  const { id, organizationId, forge, url, name, githubId, installationId, defaultBranch } = row;
  return {
    ...{ id, organizationId, url, name },
    forge: toForge(forge),
    ...(githubId !== null && { githubId: Number(githubId) }),
    ...(installationId !== null && { installationId: Number(installationId) }),
    ...(defaultBranch !== null && { defaultBranch }),
  };
}

export function toForge(forge: string): ForgeName {
  return forgeNameSchema.parse(forge);
}
