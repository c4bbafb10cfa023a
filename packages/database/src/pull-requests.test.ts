import { expect, test } from 'vitest';
import { onEachDatabase } from './testing/on-each-database.ts';
import { setScene, startProposing } from './testing/scene.ts';

const proposal = {
  branch: 'fettle/fix-login',
  baseBranch: 'main',
  baseCommit: 'b'.repeat(40),
  headCommit: 'c'.repeat(40),
  title: 'Fix the login page',
  body: 'It crashed.',
  draft: false,
  stat: { files: 1, added: 2, deleted: 3 },
  diff: '--- a/x\n+++ b/x\n',
  commits: [{ oid: 'c'.repeat(40), subject: 'Fix the login page' }],
};

onEachDatabase((database) => {
  const setUp = async (count: number) => {
    const { create, repository, organizationId } = await setScene(database());
    const owned = await Promise.all(
      Array.from({ length: count }, async () => {
        const operationId = (await create()).operation.id;
        return {
          operationId,
          fence: await startProposing(database(), operationId),
          repositoryId: repository.id,
        };
      }),
    );
    return { owned, repositoryId: repository.id, organizationId };
  };

  test('concurrent pull requests of a repository get consecutive numbers', async () => {
    const { owned, repositoryId } = await setUp(8);
    const twice = [...owned, ...owned];
    const opened = await Promise.all(
      twice.map((place) => database().pullRequests.open({ ...proposal, ...place })),
    );
    const numbers = opened.map(({ number }) => number);
    expect(numbers.slice(0, 8)).toEqual(numbers.slice(8));
    expect(numbers.slice(0, 8).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    const listed = await database().pullRequests.list({ repositoryId });
    expect(listed.map(({ number }) => number)).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
  });

  test('an operation keeps its pull request, which is updated', async () => {
    const { owned, repositoryId, organizationId } = await setUp(1);
    const place = owned[0] ?? expect.fail();
    const first = await database().pullRequests.open({ ...proposal, ...place, draft: true });
    expect(first).toMatchObject({ number: 1, state: 'draft' });
    const later = { ...proposal, headCommit: 'd'.repeat(40), diff: 'with a NUL: \0', title: 'Better' };
    const second = await database().pullRequests.open({ ...later, ...place });
    const { draft: _, ...fields } = later;
    expect(second).toEqual({
      ...fields,
      id: first.id,
      repositoryId,
      operationId: place.operationId,
      number: 1,
      state: 'open',
      ...{ url: null, remoteState: null },
      diff: 'with a NUL: \uFFFD',
      createdAt: first.createdAt,
      updatedAt: second.updatedAt,
    });
    expect(await database().pullRequests.get(first.id, organizationId)).toEqual(second);
    expect(await database().pullRequests.get(first.id, 'org_other')).toBeUndefined();
  });

  test('only the owner of a running operation can open one, and a rejected request uses no number', async () => {
    const { owned, organizationId } = await setUp(2);
    const [place, next] = [owned[0] ?? expect.fail(), owned[1] ?? expect.fail()];
    const open = (input: object) => database().pullRequests.open({ ...proposal, ...place, ...input });
    await expect(open({ fence: 7 })).rejects.toMatchObject({ code: 'fenced' });
    await database().operations.cancel({ id: place.operationId, organizationId, by: 'Ada' });
    await expect(open({})).rejects.toMatchObject({ code: 'conflict' });
    expect(await open(next)).toMatchObject({ number: 1 });
  });

  test('an operation that ends without a proposal leaves no pull request open', async () => {
    const { owned } = await setUp(1);
    const { operationId: id, fence, repositoryId } = owned[0] ?? expect.fail();
    const { id: opened } = await database().pullRequests.open({ ...proposal, operationId: id, repositoryId });
    const totals = { parts: 1, turns: 1, tokens: 1, usd: 0 };
    const outcome = { kind: 'failure' as const, reason: 'internal' as const, message: 'a bug' };
    await database().operations.settle({ id, fence, from: 'proposing', outcome, totals });
    expect(await database().pullRequests.get(opened)).toMatchObject({ state: 'closed' });
  });
});
