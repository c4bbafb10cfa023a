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

function toRepository(row: Omit<Repository, 'forge'> & { forge: string }): Repository {
  const { id, organizationId, forge, url, name } = row;
  return { id, organizationId, forge: toForge(forge), url, name };
}

export function toForge(forge: string): Repository['forge'] {
  if (forge !== 'local') throw new Error(`Unknown forge in the database: ${forge}`);
  return forge;
}
