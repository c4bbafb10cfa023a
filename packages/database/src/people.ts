import { FettleError, newId } from '@fettle/contract';
import type { Client, Transaction } from './client.ts';

export interface InstallationInput {
  adminTokenHash: string;
  adminName: string;
  adminEmail: string;
}

export interface Installation {
  organizationId: string;
  userId: string;
  tokenId: string;
}

export interface TokenHolder {
  tokenId: string;
  user: { id: string; name: string; email: string | null };
  organizationId: string;
}

export interface NewToken {
  userId: string;
  name: string;
  hash: string;
  expiresAt?: Date;
}

/** The default organization, its admin and the token of the installation's admin-token file. */
export async function ensureInstallation(client: Client, input: InstallationInput): Promise<Installation> {
  return client.$transaction(async (tx) => {
    // Two servers that start at once must agree on one organization and one token.
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('fettle installation'))`;
    const organization = await tx.organization.upsert({
      where: { slug: 'default' },
      create: { id: newId('org'), slug: 'default', name: 'Default' },
      update: {},
    });
    const place = { organizationId: organization.id, email: input.adminEmail };
    const user = await tx.user.upsert({
      where: { organizationId_email: place },
      create: { id: newId('usr'), ...place, name: input.adminName },
      update: { name: input.adminName },
    });
    const tokenId = await replaceBootstrapToken(tx, user.id, input.adminTokenHash);
    return { organizationId: organization.id, userId: user.id, tokenId };
  });
}

/** The token in the file is valid, and the token that was in it before is revoked. */
async function replaceBootstrapToken(tx: Transaction, userId: string, hash: string): Promise<string> {
  await tx.apiToken.updateMany({
    where: { isBootstrap: true, revokedAt: null, hash: { not: hash } },
    data: { revokedAt: new Date() },
  });
  const token = await tx.apiToken.upsert({
    where: { hash },
    create: { id: newId('tok'), userId, name: 'admin-token', hash, isBootstrap: true },
    update: { userId, revokedAt: null },
  });
  return token.id;
}

export async function findToken(client: Client, hash: string): Promise<TokenHolder | undefined> {
  const token = await client.apiToken.findUnique({ where: { hash }, include: { user: true } });
  if (!token || token.revokedAt || (token.expiresAt && token.expiresAt <= new Date())) return undefined;
  const { id, name, email, organizationId } = token.user;
  return { tokenId: token.id, user: { id, name, email }, organizationId };
}

/** A person who is known only by the name of an account on GitHub. Logins do not depend on case. */
export async function ensureLogin(
  client: Client,
  { organizationId, login }: { organizationId: string; login: string },
): Promise<TokenHolder['user']> {
  const place = { organizationId, login: login.toLowerCase() };
  // Two requests of the same person may arrive at once.
  await client.user.createMany({ data: [{ id: newId('usr'), ...place, name: login }], skipDuplicates: true });
  const where = { organizationId_login: place };
  const { id, name, email } = await client.user.findUniqueOrThrow({ where });
  return { id, name, email };
}

export async function createToken(client: Client, input: NewToken): Promise<{ tokenId: string }> {
  const token = await client.apiToken.create({ data: { id: newId('tok'), ...input } });
  return { tokenId: token.id };
}

/** Idempotent: the first revocation counts. */
export async function revokeToken(
  client: Client,
  input: { tokenId: string; organizationId: string },
): Promise<void> {
  const where = { id: input.tokenId, user: { organizationId: input.organizationId } };
  await client.apiToken.updateMany({ where: { ...where, revokedAt: null }, data: { revokedAt: new Date() } });
  if ((await client.apiToken.count({ where })) === 0) {
    throw new FettleError('not_found', `There is no token ${input.tokenId}.`);
  }
}
