/** Secrets that operators allow: who, why and until when. Rows are never deleted, and every change is audited. */
import { type Allowance, newId } from '@fettle/contract';
import { addAuditEntry } from './audit.ts';
import { type Client, storableText, type Transaction } from './client.ts';

export interface NewAllowance {
  organizationId: string;
  fingerprint: string;
  /** Undefined for all repositories. */
  repositoryId: string | undefined;
  reason: string;
  by: string;
  expiresAt: Date | undefined;
}

type Which = Pick<NewAllowance, 'organizationId' | 'fingerprint' | 'repositoryId' | 'by'>;

/** Replaces an allowance that is in force already. */
export async function allowSecret(client: Client, input: NewAllowance): Promise<Allowance> {
  const { organizationId, fingerprint, repositoryId, by, expiresAt } = input;
  const reason = storableText(input.reason);
  return client.$transaction(async (tx) => {
    await end(tx, input);
    const allowedAt = new Date();
    const row = await tx.allowance.create({
      data: {
        id: newId('allow', allowedAt.getTime()),
        ...{ organizationId, fingerprint, reason, allowedAt, allowedBy: by },
        repositoryId: repositoryId ?? null,
        expiresAt: expiresAt ?? null,
      },
      include: { repository: true },
    });
    const details = { reason, repositoryId, expiresAt: expiresAt?.toISOString() };
    await addAuditEntry(tx, {
      ...{ organizationId, actor: by, action: 'secret.allowed', subject: fingerprint, details },
    });
    return toAllowance(row);
  });
}

/** Returns whether there was an allowance to end. */
export async function disallowSecret(client: Client, which: Which): Promise<boolean> {
  const { organizationId, fingerprint: subject, repositoryId, by: actor } = which;
  return client.$transaction(async (tx) => {
    if ((await end(tx, which)) === 0) return false;
    const details = { repositoryId };
    await addAuditEntry(tx, { organizationId, actor, action: 'secret.disallowed', subject, details });
    return true;
  });
}

/** Lists the allowances in force. For one repository, this includes those for all repositories. */
export async function listAllowances(
  client: Client,
  { organizationId, repositoryId }: { organizationId: string; repositoryId?: string },
): Promise<Allowance[]> {
  const rows = await client.allowance.findMany({
    where: {
      organizationId,
      endedAt: null,
      AND: [
        { OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] },
        ...(repositoryId === undefined ? [] : [{ OR: [{ repositoryId: null }, { repositoryId }] }]),
      ],
    },
    include: { repository: true },
    orderBy: { id: 'desc' },
  });
  return rows.map(toAllowance);
}

async function end(tx: Transaction, { organizationId, fingerprint, repositoryId, by }: Which) {
  const { count } = await tx.allowance.updateMany({
    where: { organizationId, fingerprint, repositoryId: repositoryId ?? null, endedAt: null },
    data: { endedAt: new Date(), endedBy: by },
  });
  return count;
}

interface Row extends Omit<Allowance, 'allowedAt' | 'expiresAt' | 'repository'> {
  allowedAt: Date;
  expiresAt: Date | null;
  repository: { url: string } | null;
}

function toAllowance({ fingerprint, reason, allowedBy, allowedAt, expiresAt, repository }: Row): Allowance {
  return {
    ...{ fingerprint, reason, allowedBy },
    repository: repository?.url ?? null,
    allowedAt: allowedAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
  };
}
