import { expect, test } from 'vitest';
import { onEachDatabase } from './testing/on-each-database.ts';
import { setScene } from './testing/scene.ts';

const hourMs = 3_600_000;

onEachDatabase((database) => {
  test('a secret is allowed for one repository or for all, until the allowance expires or ends', async () => {
    const { allowances, audit } = database();
    const { organizationId, repository } = await setScene(database());
    const other = await setScene(database());
    const common = { organizationId, by: 'Ada', repositoryId: undefined, expiresAt: undefined };
    const fingerprints = ['1', '2', '3'].map((digit) => `fs1-${digit.repeat(16)}`) as [
      string,
      string,
      string,
    ];
    const [everywhere, here, expired] = fingerprints;
    const mine = async (repositoryId?: string) =>
      (await allowances.list({ organizationId, ...(repositoryId && { repositoryId }) }))
        .filter(({ fingerprint }) => fingerprints.includes(fingerprint))
        .map(({ fingerprint }) => fingerprint)
        .sort();

    await allowances.allow({ ...common, fingerprint: everywhere, reason: 'a value for tests' });
    const expiresAt = new Date(Date.now() + hourMs);
    expect(
      await allowances.allow({
        ...common,
        fingerprint: here,
        reason: 'gone\0',
        repositoryId: repository.id,
        expiresAt,
      }),
    ).toEqual({
      fingerprint: here,
      repository: repository.url,
      reason: 'gone\uFFFD',
      allowedBy: 'Ada',
      allowedAt: expect.any(String),
      expiresAt: expiresAt.toISOString(),
    });
    await allowances.allow({
      ...common,
      fingerprint: expired,
      reason: 'over',
      expiresAt: new Date(Date.now() - hourMs),
    });
    expect(await mine()).toEqual([everywhere, here]);
    expect(await mine(repository.id)).toEqual([everywhere, here]);
    expect(await mine(other.repository.id)).toEqual([everywhere]);

    // Allowing it again replaces the reason.
    await allowances.allow({ ...common, fingerprint: everywhere, reason: 'better said' });
    expect(await mine()).toEqual([everywhere, here]);
    const found = await allowances.list({ organizationId });
    expect(found.find(({ fingerprint }) => fingerprint === everywhere)?.reason).toBe('better said');

    const which = { organizationId, fingerprint: everywhere, repositoryId: undefined, by: 'Bob' };
    expect(await allowances.disallow({ ...which, repositoryId: repository.id })).toBe(false);
    expect(await allowances.disallow(which)).toBe(true);
    expect(await allowances.disallow(which)).toBe(false);
    expect(await mine()).toEqual([here]);
    const [last] = await audit.list({ organizationId, limit: 1 });
    expect(last).toMatchObject({ actor: 'Bob', action: 'secret.disallowed', subject: everywhere });
  });
});
