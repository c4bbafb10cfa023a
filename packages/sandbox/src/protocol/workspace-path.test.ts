import { expect, it } from 'vitest';
import { findPathFault, isGitName, normalizePath } from './workspace-path.ts';

it('detects names that some file system treats as .git', () => {
  const git = [
    ...['.git', '.GIT', '.Git', 'git~1', 'GIT~1', '.git.', '.git ', '.git. .', '.git::$INDEX_ALLOCATION'],
    ...['.g\u200cit'],
  ];
  expect(git.filter(isGitName)).toEqual(git);
  expect(['.gitignore', '.github', 'git', 'x.git', '.git2', 'git~2'].filter(isGitName)).toEqual([]);
});

it('rejects invalid workspace paths', () => {
  for (const path of ['', '/a', 'a/../b', '..', 'a//b', './a', 'a/', 'a\0b', '\ud800', 'x'.repeat(5000)]) {
    expect(findPathFault(path), path).toEqual(expect.any(String));
  }
  for (const path of ['a', 'a b/c\nd', '..a/b..', 'ä/日本', 'a\\b'])
    expect(findPathFault(path)).toBeUndefined();
});

it('normalizes a path', () => {
  expect(['.', './a//b/', 'a/./b', ''].map(normalizePath)).toEqual(['', 'a/b', 'a/b', '']);
  expect(() => normalizePath('a/../b')).toThrow(expect.objectContaining({ code: 'outside' }));
});
