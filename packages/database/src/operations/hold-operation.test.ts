import { randomInt, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { onEachDatabase } from '../testing/on-each-database.ts';
import { request, setScene } from '../testing/scene.ts';

onEachDatabase((database) => {
  async function setUp(forge: 'github' | 'local' = 'github') {
    const { create, organizationId } = await setScene(database());
    const name = `acme/${randomUUID()}`;
    const repository = await database().repositories.ensure({
      ...{ organizationId, forge, name, url: `https://github.com/${name}.git` },
      ...(forge === 'github' && { githubId: randomInt(2 ** 40) }),
    });
    const newOperation = async (kind: 'fix' | 'ask' = 'fix') =>
      (await create({ repositoryId: repository.id, request: { ...request, kind } })).operation.id;
    const claim = (id: string, limits: { open: number; perHour: number }) =>
      database().operations.claim({ id, key: randomUUID(), worker: 'w', leaseSeconds: 30, limits });
    const waitsFor = async (id: string) => (await database().operations.get(id, organizationId))?.waitsFor;
    return { newOperation, claim, waitsFor };
  }

  test('several claims at once do not exceed the limit, and the others say what they wait for', async () => {
    const { newOperation, claim, waitsFor } = await setUp();
    const ids = await Promise.all(Array.from({ length: 6 }, () => newOperation()));
    const claims = await Promise.allSettled(ids.map((id) => claim(id, { open: 2, perHour: 9 })));
    const held = ids.filter((_, index) => claims[index]?.status === 'rejected');
    expect(held).toHaveLength(4);
    for (const id of held) expect(await waitsFor(id)).toMatch(/^one of the 2 open pull requests in acme\//);
    // Held operations come back after a pause, without counting as attempts.
    await expect(claim(held[0] ?? '', { open: 9, perHour: 9 })).rejects.toMatchObject({
      ...{ code: 'conflict', afterMs: expect.any(Number) },
    });
  });

  test('the limit for an hour counts too', async () => {
    const { newOperation, claim, waitsFor } = await setUp();
    await claim(await newOperation(), { open: 9, perHour: 1 });
    const id = await newOperation();
    await expect(claim(id, { open: 9, perHour: 1 })).rejects.toMatchObject({ code: 'conflict' });
    expect(await waitsFor(id)).toMatch(
      /^the next hour, because acme\/\S+ gets at most 1 pull requests per hour/,
    );
  });

  test('neither a question nor a local repository is held', async () => {
    const limits = { open: 1, perHour: 1 };
    const github = await setUp();
    await github.claim(await github.newOperation(), limits);
    await github.claim(await github.newOperation('ask'), limits);
    const local = await setUp('local');
    for (const _each of [1, 2]) await local.claim(await local.newOperation(), limits);
  });
});
