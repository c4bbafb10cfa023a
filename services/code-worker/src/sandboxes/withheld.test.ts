import { createWithheldFinder, findWithheld } from '@fettle/check-run';
import { listWithheldLines } from '@fettle/secrets';
import { createRandom, synthesize } from '@fettle/secrets/testing';
import { expect, test } from 'vitest';
import { createSecretSorter } from '../secrets/known-secrets.ts';
import { makeRepository } from '../testing/make-repository.ts';

const line = 'GREETING=words that no scanner minds';
const token = synthesize('ghp_{an36}', createRandom(5));

test('files that may not be read are withheld, except harmless fixtures', async () => {
  const repository = await makeRepository();
  const base = await repository.commit({
    '.env': `${line}\n`,
    'test/fixtures/.env': 'BASIC=basic\n',
    'test/fixtures/live/.env': `TOKEN=${token}\n`,
    'test/store.p12': Buffer.from([1, 0, 2]),
    'a/.npmrc': 'save-exact=true\n',
    '.npmrc': 'save-exact=true\n_auth=abcdefghijkl\n',
    '.yarnrc.yml': 'nodeLinker: pnp\nnpmAuthToken: abc\n',
    'a/.yarnrc.yml': 'nodeLinker: pnp\n',
    'b/.env': { link: '../.env' },
    'src/a.ts': 'a\n',
  });
  const files = await findWithheld(repository.mirror, base);
  expect(files.map(({ path }) => path)).toEqual([
    '.env',
    '.npmrc',
    '.yarnrc.yml',
    'test/fixtures/live/.env',
    'test/store.p12',
  ]);
  expect(files[0]?.bytes.toString()).toMatch(/^# Fettle withholds "\.env" from sandboxes/);
  expect(files[2]?.bytes.toString()).toMatch(/^nodeLinker: pnp\n# Fettle withholds a line.*\n$/);
  expect(files[1]?.bytes.toString()).toMatch(/^save-exact=true\n; Fettle withholds a line.*\n$/);
});

test('a line of a withheld file is held against a change, unless another file of the base has it', async () => {
  const repository = await makeRepository();
  const base = await repository.commit({
    '.env': `${line}\nSHARED=in both of the files\nTOKEN=${token}\n`,
    'docs/a.md': 'Set SHARED=in both of the files\n',
  });
  const { mirror } = repository;
  const files = await findWithheld(mirror, base);
  const sort = createSecretSorter({ mirror, base, readAllowances: async () => [] });
  const judge = async (text: string) => {
    const found = listWithheldLines(text, createWithheldFinder(files), 'copy.txt');
    const { fresh, known } = await sort(found);
    return [fresh.length, known.length];
  };
  expect(await judge(`${line}\n`)).toEqual([1, 0]);
  expect(await judge(`TOKEN=${token}\n`)).toEqual([1, 0]);
  expect(await judge(files[0]?.bytes.toString() ?? '')).toEqual([1, 0]);
  expect(await judge('SHARED=in both of the files\n')).toEqual([0, 0]);
});
