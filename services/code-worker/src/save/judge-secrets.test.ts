import type { Allowance } from '@fettle/contract';
import { createRedaction, scanText } from '@fettle/secrets';
import { createRandom, synthesize } from '@fettle/secrets/testing';
import { expect, test } from 'vitest';
import { readBase } from '../mirror/mirror.ts';
import { createSecretSorter } from '../secrets/known-secrets.ts';
import { makeRepository } from '../testing/make-repository.ts';
import { describeObjection } from './judge-change.ts';
import { createSecretJudge } from './judge-secrets.ts';

const random = createRandom(21);
const draw = (template: string) => synthesize(template, random);
const token = () => draw('ghp_{an36}');
const lines = (count: number) => Array.from({ length: count }, (_, at) => `const a${at} = ${at};\n`).join('');

async function judgeOn(files: Record<string, string>, own: string[] = []) {
  const repository = await makeRepository();
  const { mirror } = repository;
  const base = await repository.commit(files);
  const allowed: Allowance[] = [];
  const judge = createSecretJudge({
    own: createRedaction(own).places,
    findWithheld: () => [],
    sort: createSecretSorter({ mirror, base, readAllowances: async () => allowed }),
    readBase: (path) => readBase(mirror, base, path),
  });
  return {
    allowed,
    judge: async (path: string, content: string | Buffer) =>
      (await judge({ path, bytes: Buffer.from(content) })).map(describeObjection),
  };
}

test('a new secret is refused and not shown; a secret of the base may stay or move', async () => {
  const [old, fresh] = [token(), token()];
  const { judge } = await judgeOn({ 'a.ts': `const a = '${old}';\n`, 'b.ts': '' });
  const [objection, ...others] = await judge('a.ts', `const a = '${old}';\nconst b = '${fresh}';\n`);
  expect(objection).toMatch(
    /^it contains a secret: line 2, const b = '\[redacted\]'; \(rule github-token\)\. Read it from an environment/,
  );
  expect(others).toEqual([]);
  expect(await judge('moved/elsewhere.ts', `export const a = '${old}';\n`)).toEqual([]);
  // In another encoding it counts as new.
  expect(await judge('b.ts', `const b = '${Buffer.from(old).toString('base64')}';\n`)).toHaveLength(1);
});

test('a secret that is concatenated from variables is known only if its value is', async () => {
  const parts = (value: string) => `const a = '${value.slice(0, 20)}';\nconst b = '${value.slice(20)}';\n`;
  const [old, fresh] = [token(), token()];
  const { judge } = await judgeOn({ 'a.ts': `${parts(old)}send(a + b);\n`, 'b.ts': 'const c = a + b;\n' });
  expect(await judge('a.ts', `${parts(old)}send(a + b); // once\n`)).toEqual([]);
  expect(await judge('moved.ts', `${parts(old)}send(a + b);\n`)).toEqual([]);
  expect(await judge('a.ts', `${parts(fresh)}send(a + b);\n`)).toHaveLength(1);
  expect(await judge('b.ts', `${parts(fresh)}const c = a + b;\n`)).toHaveLength(1);
  expect(await judge('new.ts', `${parts(fresh)}const c = a + b;\n`)).toHaveLength(1);
});

test('a key of several lines is known only as a whole', async () => {
  const frame = (name: string) => `-----${name} RSA PRIVATE KEY-----`;
  const body = Array.from({ length: 20 }, () => draw('{b6464}'));
  const key = [frame('BEGIN'), ...body, frame('END'), ''].join('\n');
  const { judge } = await judgeOn({ 'test/key.txt': key });
  expect(await judge('moved.txt', `// moved\n${key}`)).toEqual([]);
  expect(await judge('test/key.txt', key.replace(body[7] ?? '', draw('{b6464}')))).toHaveLength(1);
});

test('finds keys of the installation, and secrets in file names and binary files', async () => {
  const own = draw('{an40}');
  const { judge } = await judgeOn({}, [own]);
  expect(await judge('a.txt', `${own}\n`)).toEqual([expect.stringContaining('(rule own-secret)')]);
  expect(await judge('a.txt', Buffer.from(own).toString('base64'))).toHaveLength(1);
  expect(await judge(`keys/${token()}.txt`, '')).toEqual([expect.stringContaining('(rule github-token)')]);
  const bytes = Buffer.concat([Buffer.from([0, 1, 2, 255]), Buffer.from(` ${token()} `), Buffer.alloc(9)]);
  expect(await judge('a.bin', bytes)).toHaveLength(1);
  expect(await judge('a.bin', Buffer.from(`\0password = "${draw('{an20}')}"`))).toEqual([]);
  expect(await judge('a.txt', Buffer.from(`\ufeffconst a = '${token()}'`, 'utf16le'))).toHaveLength(1);
});

test('scans the changed part of a large file, wherever it is', async () => {
  const old = token();
  const before = `${lines(5_000)}const old = '${old}';\n${lines(5_000)}`;
  const { judge } = await judgeOn({ 'large.ts': before });
  expect(await judge('large.ts', `${before}const last = 1;\n`)).toEqual([]);
  for (const at of [0, before.indexOf('const a2500 ='), before.length]) {
    const after = `${before.slice(0, at)}const b = '${token()}';\n${before.slice(at)}`;
    const line = before.slice(0, at).split('\n').length;
    expect(await judge('large.ts', after)).toEqual([expect.stringContaining(`line ${line}, `)]);
  }
  // A refused version does not become the known one.
  const twice = `const b = '${token()}';\n${before}`;
  expect(await judge('large.ts', twice)).toHaveLength(1);
  expect(await judge('large.ts', twice)).toHaveLength(1);
  expect(await judge('other.ts', `${before}const b = '${token()}';\n`)).toHaveLength(1);
});

test('a secret that an operator allows is not refused', async () => {
  const fresh = `const b = '${token()}';\n`;
  const { judge, allowed } = await judgeOn({});
  expect(await judge('a.ts', fresh)).toHaveLength(1);
  const [finding] = scanText(fresh);
  allowed.push({
    fingerprint: finding?.fingerprint ?? '',
    ...{ repository: null, reason: 'a value for tests', allowedBy: 'Ada' },
    ...{ allowedAt: '2026-01-01T00:00:00.000Z', expiresAt: null },
  });
  expect(await judge('a.ts', fresh)).toEqual([]);
});
