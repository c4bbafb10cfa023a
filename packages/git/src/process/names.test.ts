import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { branchName } from '../write/branch-name.ts';
import { isModulesFile, pathFlaw } from '../write/tree-path.ts';
import { isBranchName, isRefName } from './names.ts';

const candidates = [
  ...['main', 'a/b', 'a//b', '/a', 'a/', '.a', 'a/.b', 'a.', 'a..b', 'a.lock', 'a.lock/b', 'a b', 'a~b'],
  ...['a^b', 'a:b', 'a?b', 'a*b', 'a[b', 'a\\b', 'a@{b', '@', '@a', 'a@', 'ü✓', 'a\tb', 'a\x7f', 'a"b'],
  ...["a'b", 'a]b', '{a}'],
];

test('ref names are valid if git accepts them', () => {
  for (const name of candidates) {
    const ref = `refs/heads/${name}`;
    const { status } = spawnSync('git', ['check-ref-format', ref]);
    expect([ref, isRefName(ref)]).toEqual([ref, status === 0]);
  }
  for (const name of ['-a', 'HEAD', '', 'a\0b']) expect(isBranchName(name)).toBe(false);
});

test('branch names are valid, short and descriptive', () => {
  expect(branchName({ id: 'op_17', title: 'Fix: the login page crashes!' })).toBe(
    'agent/op-17-fix-the-login-page-crashes',
  );
  expect(branchName({ ticket: 'PROJ-12', id: 'x', title: 'Ändere das Menü' })).toBe(
    'agent/PROJ-12-andere-das-menu',
  );
  expect(branchName({ ticket: '  ', id: 'x', title: '日本語' })).toBe('agent/x');
  const long = branchName({ id: 'x', title: 'word '.repeat(50) });
  expect(long).toBe(`agent/x-${Array(8).fill('word').join('-')}`);
  for (const title of ['.lock', 'a.lock', '..', '--', '@{', 'x'.repeat(300), '\u0000']) {
    for (const id of ['1', '..', '-x', 'a.lock']) expect(isBranchName(branchName({ id, title }))).toBe(true);
  }
});

const attacks = [
  ...['', '/', '/etc/passwd', 'a//b', 'a/', './a', 'a/./b', 'a/.', '..', '../x', 'a/../b', 'a/..', 'a\0b'],
  ...['.git', '.git/config', 'a/.git', 'a/.git/hooks/x', '.GIT/config', '.Git', '.gIt/x', 'git~1'],
  ...['GIT~1/config', '.git.', '.git ', '.git. .', '.git/', '.git::$INDEX_ALLOCATION', '.git:x', 'git~1.'],
  ...['git~1 ', 'git~1:x', '.g\u200cit', '.git\u200d', '\ufeff.git', '.gi\u202et/config', '.g\u206ait'],
  ...['\u200e.g\u200fit', '.git\\config', 'a\\.git\\config', '..\\x', 'a\\..\\b', 'a\\.GIT.\\x', '\\..\\x'],
  ...['a/b\\..', '.\\x'],
  ...['\ud800', 'x'.repeat(256), `${'x/'.repeat(3000)}x`],
];

test.each(attacks)('the path %j is refused', (path) => {
  expect(pathFlaw(path)).toEqual(expect.any(String));
});

const harmless = [
  ...['a', 'a/b', '.github/workflows/x.yml', '.gitignore', '.gitattributes', '.gitmodules', 'git', 'a.git'],
  ...['.gitx', 'x.git/y', 'git~2', '...', '..a', 'a..', ' ', 'a b', '-x', 'new\nline', '"', 'a\\b', 'C:x'],
  ...['✓', '.gìt', '~'],
];

test.each(harmless)('the path %j is accepted', (path) => {
  expect(pathFlaw(path)).toBeUndefined();
});

test('all spellings of .gitmodules are recognised', () => {
  for (const path of ['.gitmodules', 'a/.GitModules', '.gitmodules .', 'gitmod~1', '.gitmodules:x']) {
    expect(isModulesFile(path)).toBe(true);
  }
  expect(isModulesFile('gitmodules')).toBe(false);
});
