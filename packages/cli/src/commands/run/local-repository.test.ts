import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFolder } from '../../testing/open-folder.ts';
import { runFettle } from '../../testing/run-fettle.ts';
import { enclosingRepository } from './local-repository.ts';

test('the repository of a folder is the nearest one around it', () => {
  const repository = join(openFolder(), 'shop');
  execFileSync('git', ['init', '-q', repository]);
  mkdirSync(join(repository, 'src', 'cart'), { recursive: true });
  expect(enclosingRepository(join(repository, 'src', 'cart'))).toBe(repository);
  expect(enclosingRepository(repository)).toBe(repository);
});

test('a bare repository is found as well', () => {
  const folder = openFolder();
  execFileSync('git', ['init', '-q', '--bare', folder]);
  expect(enclosingRepository(folder)).toBe(folder);
});

test('outside a repository, run asks for --repo', async () => {
  const folder = openFolder();
  const { exitCode, stderr } = await runFettle(['run', 'fix', 'it'], {}, { cwd: folder });
  expect(exitCode).toBe(2);
  expect(stderr).toBe(
    `fettle: ${folder} is not in a git repository.\n  Change to a repository, or name one with --repo: a path, a clone URL or owner/name.\n`,
  );
});
