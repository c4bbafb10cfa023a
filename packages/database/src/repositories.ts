import { newId } from '@fettle/contract';
import type { Client } from './client.ts';

export interface Repository {
  id: string;
  organizationId: string;
  forge: 'local';
  url: string;
  name: string;
}

export async function ensureRepository(client: Client, input: Omit<Repository, 'id'>): Promise<Repository> {
  const { organizationId, url } = input;
  const where = { organizationId_url: { organizationId, url } };
  const known = await client.repository.findUnique({ where });
  if (known) return toRepository(known);
  // Another process may insert the row between these statements. Then that row is used.
  await client.repository.createMany({ data: [{ id: newId('repo'), ...input }], skipDuplicates: true });
  return toRepository(await client.repository.findUniqueOrThrow({ where }));
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

/** A row with the new URL may exist already. Then the old row keeps its URL, which the forge redirects. */
export async function renameRepository(
  client: Client,
  { id, ...data }: { id: string; name: string; url: string },
): Promise<boolean> {
  const row = await client.repository.findUniqueOrThrow({ where: { id } });
  const taken = await client.repository.count({
    where: { organizationId: row.organizationId, url: data.url, id: { not: id } },
  });
  if (taken > 0) return false;
  await client.repository.update({ where: { id }, data });
  return true;
}

function toRepository(row: Omit<Repository, 'forge'> & { forge: string }): Repository {
  const { id, organizationId, forge, url, name } = row;
  return { id, organizationId, forge: toForge(forge), url, name };
}

export function toForge(forge: string): Repository['forge'] {
  if (forge !== 'local') throw new Error(`Unknown forge in the database: ${forge}`);
  return forge;
}
