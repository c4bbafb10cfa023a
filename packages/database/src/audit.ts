import { newId } from '@fettle/contract';
import { type Client, type Transaction, toJson } from './client.ts';

export interface AuditInput {
  organizationId: string;
  actor: string;
  action: string;
  subject: string;
  details?: Record<string, unknown>;
}

export interface AuditEntry extends Required<AuditInput> {
  id: string;
  at: string;
}

export async function addAuditEntry(client: Client | Transaction, input: AuditInput): Promise<void> {
  const at = new Date();
  const details = toJson(input.details ?? {});
  await client.auditEntry.create({ data: { ...input, id: newId('aud', at.getTime()), at, details } });
}

/** Newest first. `before` is the id of the last entry of the previous page. */
export async function listAuditEntries(
  client: Client,
  query: { organizationId: string; before?: string; limit?: number },
): Promise<AuditEntry[]> {
  const { organizationId, before, limit = 100 } = query;
  const rows = await client.auditEntry.findMany({
    where: { organizationId, ...(before !== undefined && { id: { lt: before } }) },
    orderBy: { id: 'desc' },
    take: limit,
  });
  return rows.map((row) => ({
    ...row,
    at: row.at.toISOString(),
    details: row.details as Record<string, unknown>,
  }));
}
