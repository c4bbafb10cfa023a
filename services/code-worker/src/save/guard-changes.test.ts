import { createPathJudge, judgeContent } from '@fettle/policy';
import { expect, test } from 'vitest';
import { createChangeGuard, listProtected } from './guard-changes.ts';
import { createChangeJudge } from './judge-change.ts';

const judge = createPathJudge({ protectedPaths: ['infra/prod.tf', 'keys'] });
const files = ['infra/prod.tf', 'infra/readme.md', 'keys', 'src/a.ts'];
const base = new Map([['src/old.ts', Buffer.from('// <<<<<<< HEAD\nconst a = "\u202e";\n')]]);
const judgeChange = createChangeJudge({
  judgePath: judge,
  judgeContent,
  judgeSecrets: async () => [],
  readBase: async (path) => base.get(path),
});
const guardChange = createChangeGuard(
  judgeChange,
  listProtected(judge, { files, submodules: ['vendor/lib'] }),
);
const guard = async (path: string, text = '') =>
  (await guardChange({ path, kind: 'file', bytes: Buffer.from(text) }))?.reason;

test.each([
  ['infra/prod.tf', /protects it/],
  ['infra', /would remove infra\/prod.tf/],
  ['Infra', /would remove infra\/prod.tf/],
  ['keys/new', /protects it/],
  ['.gitmodules', /submodules/],
  ['sub/.gitmodules', /submodules/],
  ['.gitmodules/file', /submodules/],
  ['vendor', /would remove vendor\/lib/],
  ['vendor/lib', /would remove vendor\/lib/],
  ['vendor/lib/file', /would remove vendor\/lib/],
  ['a/../b', /not allowed/],
  ['.env', /credentials.*rule environment-file/],
  ['.github/workflows/ci.yml', /rule ci/],
])('%s is refused', async (path, reason) => {
  expect(await guard(path)).toMatch(reason);
});

test('contents are judged too, compared with the base', async () => {
  expect(await guard('src/a.ts', 'const a = 1; // \u202e\n')).toBe(
    'it contains characters that make the text look different from what it is (Trojan Source): line 1, U+202E (rule bidirectional-control). Write the character as an escape, such as \\u202e, or leave it out.',
  );
  expect(await guard('src/old.ts', '// <<<<<<< HEAD\nconst b = 1;\nconst a = "\u202e";\n')).toBeUndefined();
  expect(await guard('src/old.ts', 'const b = "\u202e";\n')).toMatch(/rule bidirectional-control/);
  // Changes that only need a remark are saved.
  expect(await guard('package.json', '{"dependencies":{"left-pad":"^1.0.0"}}')).toBeUndefined();
});

test('a refusal names its rule', async () => {
  const denied = (path: string, text = '') =>
    guardChange({ path, kind: 'file', bytes: Buffer.from(text) }).then((refused) => refused?.by);
  expect(await denied('.env')).toMatchObject({ rule: 'environment-file', token: '.env' });
  expect(await denied('a.ts', '\u202e')).toMatchObject({ rule: 'bidirectional-control', token: 'U+202E' });
  expect(await denied('vendor')).toMatchObject({ rule: 'protected-below', token: 'vendor' });
});

test('a link to an unreadable path is refused', async () => {
  const link = async (path: string, target: string) =>
    (await guardChange({ path, kind: 'symlink', bytes: Buffer.from(target) }))?.reason;
  expect(await link('src/settings', '../.env')).toMatch(/rule environment-file/);
  expect(await link('src/settings', '../.git/config')).toMatch(/rule git-files/);
  expect(await link('src/settings', '../../out')).toMatch(/rule outside/);
  expect(await link('src/settings', 'a.ts')).toBeUndefined();
  expect(await link('CLAUDE2.md', 'CLAUDE.md')).toBeUndefined();
});

test('other paths are allowed', async () => {
  for (const path of ['infra/readme.md', 'infra2', 'src', 'src/a.ts/b', 'keys2', 'docs/infra', 'vendor/lib2'])
    expect(await guard(path)).toBeUndefined();
});
