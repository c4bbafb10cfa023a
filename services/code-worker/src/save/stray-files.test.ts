import { expect, test } from 'vitest';
import { createStrayFinder } from './stray-files.ts';

const files = ['package.json', 'pnpm-lock.yaml', 'packages/a/package.json', 'crates/a/Cargo.toml', 'go.mod'];
const rule = (base: string[], path: string, named: string[] = []) =>
  createStrayFinder(base, named)(path)?.rule;

test.each([
  ['a lockfile of another manager', 'package-lock.json'],
  ['one in a package of the workspace', 'packages/a/pnpm-lock.yaml'],
  ['one of another manager in a new project', 'examples/new/yarn.lock'],
  ['one that the repository leaves out', 'crates/a/Cargo.lock'],
])('%s is not part of a change', (_, path) => {
  expect(rule(files, path)).toBe('stray-lockfile');
});

test.each<[string, string, string[]?]>([
  ['the lockfile of the repository', 'pnpm-lock.yaml'],
  ['one that the request names', 'package-lock.json', ['package-lock.json']],
  ['one in a folder that the request names', 'packages/b/yarn.lock', ['packages/b']],
  ['the usual one of a new project', 'examples/new/pnpm-lock.yaml'],
  ['one of a language that is new here', 'Gemfile.lock'],
  ['the checksums of Go', 'go.sum'],
  ['a source file', 'src/lock.ts'],
])('%s is', (_, path, named) => {
  expect(rule(files, path, named)).toBeUndefined();
});

test.each([
  'node_modules/a/index.js',
  'packages/a/.venv/bin/python',
  'src/__pycache__/a.pyc',
  '.yarn/cache/a.zip',
  'vendor/bundle/a.rb',
])('%s is installed', (path) => {
  expect(rule(files, path)).toBe('installed-packages');
});

test('packages that the repository contains may change', () => {
  expect(rule([...files, '.yarn/cache/a.zip'], '.yarn/cache/b.zip')).toBeUndefined();
  expect(rule(files, 'src/venv.ts')).toBeUndefined();
  expect(rule(files, '.yarn/releases/yarn-4.cjs')).toBeUndefined();
});
