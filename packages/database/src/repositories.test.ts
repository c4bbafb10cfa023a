import { randomInt, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { onEachDatabase } from './testing/on-each-database.ts';
import { setScene } from './testing/scene.ts';

onEachDatabase((database) => {
  const place = (name: string) => ({ name, url: `https://github.com/${name}.git` });

  test('a repository on GitHub keeps its row when it is renamed, also if another one gets its name', async () => {
    const { organizationId } = await setScene(database());
    const [first, second] = [randomInt(2 ** 40), randomInt(2 ** 40)];
    const [old, renamed] = [`acme/${randomUUID()}`, `acme/${randomUUID()}`];
    const ensure = (githubId: number, name: string) =>
      database().repositories.ensure({ organizationId, forge: 'github', githubId, ...place(name) });
    const { id } = await ensure(first, old);
    const other = await ensure(second, old);
    expect(other.id).not.toBe(id);
    expect(await ensure(first, renamed)).toMatchObject({ id, ...place(renamed) });
    expect(await ensure(first, renamed)).toMatchObject({ id, githubId: first });
    expect(await ensure(second, old)).toMatchObject({ id: other.id, ...place(old) });
  });

  test('a repository that was used as a plain git host becomes one on GitHub', async () => {
    const { organizationId } = await setScene(database());
    const name = `acme/${randomUUID()}`;
    const plain = await database().repositories.ensure({ organizationId, forge: 'local', ...place(name) });
    const githubId = randomInt(2 ** 40);
    const found = { organizationId, forge: 'github' as const, githubId, ...place(name) };
    expect(await database().repositories.ensure(found)).toEqual({ id: plain.id, ...found });
    expect(await database().repositories.get(plain.id)).toEqual({ id: plain.id, ...found });
  });
});
