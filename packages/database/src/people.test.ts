import { expect, test } from 'vitest';
import { onEachDatabase } from './testing/on-each-database.ts';
import { admin } from './testing/scene.ts';

onEachDatabase((database) => {
  test('concurrent starts create one installation', async () => {
    const made = await Promise.all(
      Array.from({ length: 8 }, () => database().people.ensureInstallation(admin)),
    );
    expect(new Set(made.map((one) => JSON.stringify(one))).size).toBe(1);
    const { organizationId, userId, tokenId } = made[0] ?? expect.fail();
    expect(await database().people.findToken(admin.adminTokenHash)).toEqual({
      tokenId,
      user: { id: userId, name: 'Ada', email: 'ada@example.com' },
      organizationId,
    });
  });

  test('a new admin token replaces the old one, which can be restored', async () => {
    const { people } = database();
    const first = await people.ensureInstallation(admin);
    const other = { ...admin, adminTokenHash: 'b'.repeat(64) };
    const second = await people.ensureInstallation(other);
    expect(second).toEqual({ ...first, tokenId: second.tokenId });
    expect(await people.findToken(admin.adminTokenHash)).toBeUndefined();
    expect((await people.findToken(other.adminTokenHash))?.tokenId).toBe(second.tokenId);
    expect(await people.ensureInstallation(admin)).toEqual(first);
    expect(await people.findToken(other.adminTokenHash)).toBeUndefined();
  });

  test('expired, revoked and unknown tokens are not found', async () => {
    const { people } = database();
    const { organizationId, userId } = await people.ensureInstallation(admin);
    const day = 24 * 3600 * 1000;
    const base = { userId, name: 'ci' };
    await people.createToken({ ...base, hash: 'past', expiresAt: new Date(Date.now() - 1000) });
    await people.createToken({ ...base, hash: 'future', expiresAt: new Date(Date.now() + day) });
    expect(await people.findToken('past')).toBeUndefined();
    expect(await people.findToken('never')).toBeUndefined();
    const { tokenId } = (await people.findToken('future')) ?? expect.fail();
    await expect(people.revokeToken({ tokenId, organizationId: 'org_other' })).rejects.toMatchObject({
      code: 'not_found',
    });
    await people.revokeToken({ tokenId, organizationId });
    await people.revokeToken({ tokenId, organizationId });
    expect(await people.findToken('future')).toBeUndefined();
  });

  test('there is one repository per organization and URL', async () => {
    const { people, repositories } = database();
    const { organizationId } = await people.ensureInstallation(admin);
    const input = { organizationId, forge: 'local' as const, url: '/srv/twice', name: 'twice' };
    const made = await Promise.all(Array.from({ length: 20 }, () => repositories.ensure(input)));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    const id = made[0]?.id ?? expect.fail();
    expect(await repositories.get(id)).toEqual({ id, ...input });
    expect(await repositories.get('repo_none')).toBeUndefined();
  });

  test('the audit log is newest first, in pages', async () => {
    const { people, audit } = database();
    const { organizationId } = await people.ensureInstallation(admin);
    const entry = { organizationId, actor: 'Ada', subject: 'op_1' };
    await audit.add({ ...entry, action: 'operation.create', details: { from: 'cli' } });
    await new Promise((resolve) => setTimeout(resolve, 2));
    await audit.add({ ...entry, action: 'operation.cancel' });
    const [newest] = await audit.list({ organizationId, limit: 1 });
    expect(newest).toMatchObject({ ...entry, action: 'operation.cancel', details: {} });
    const before = newest?.id ?? expect.fail();
    expect(await audit.list({ organizationId, before })).toMatchObject([
      { ...entry, action: 'operation.create', details: { from: 'cli' } },
    ]);
  });
});
