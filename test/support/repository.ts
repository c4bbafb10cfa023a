/** Small real repositories for flows. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Kind } from '@fettle/contract';

const environment = {
  PATH: process.env.PATH,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
};

export function git(folder: string, ...args: string[]): string {
  return execFileSync('git', args, {
    cwd: folder,
    env: environment,
    encoding: 'utf8',
    maxBuffer: 64_000_000,
  }).trim();
}

export interface TestRepository {
  path: string;
  git(...args: string[]): string;
  request(kind: Kind, description: string): { kind: Kind; description: string; repository: string };
  remove(): void;
}

/** A repository with one commit of the given files; none are committed when there are no files. */
export function makeRepository(
  files: Record<string, string | Buffer>,
  { branch = 'main' } = {},
): TestRepository {
  const path = mkdtempSync(join(tmpdir(), 'fettle-repository-'));
  git(path, 'init', '-q', '-b', branch);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), content);
  }
  if (Object.keys(files).length > 0) {
    git(path, 'add', '-A');
    git(path, 'commit', '-qm', 'first');
  }
  return {
    path,
    git: (...args) => git(path, ...args),
    request: (kind, description) => ({ kind, description, repository: path }),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** A repository whose test fails until `add` really adds. */
export const brokenSum = {
  'sum.mjs': 'export const add = (a, b) => a - b;\n',
  'sum.test.mjs':
    "import assert from 'node:assert/strict';\nimport test from 'node:test';\nimport { add } from './sum.mjs';\n\ntest('adds', () => assert.equal(add(2, 3), 5));\n",
  '.fettle/config.yml': 'commands:\n  test: node --test\n',
  '.gitignore': 'node_modules\n',
};

/** The same, with nothing wrong in it. */
export const soundSum = { ...brokenSum, 'sum.mjs': 'export const add = (a, b) => a + b;\n' };
