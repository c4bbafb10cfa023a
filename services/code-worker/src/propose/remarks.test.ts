import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { diffCommits } from '@fettle/git';
import { createPathJudge, judgeContent } from '@fettle/policy';
import { expect, onTestFinished, test } from 'vitest';
import { readBase } from '../mirror/read-base.ts';
import { createChangeJudge } from '../save/judge-change.ts';
import { listRemarks } from './remarks.ts';

function makeRepository() {
  const folder = mkdtempSync(join(tmpdir(), 'remarks-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  const env = { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
  const git = (...args: string[]) =>
    execFileSync('git', [...identity, ...args], { cwd: folder, env, encoding: 'utf8' }).trim();
  git('init', '-q');
  return {
    folder,
    mirror: join(folder, '.git'),
    commit(files: Record<string, string | Buffer>) {
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), content);
      }
      git('add', '-A', '--force');
      git('commit', '-qm', 'next', '--allow-empty');
      return git('rev-parse', 'HEAD');
    },
  };
}

async function remarksOf({ mirror }: { mirror: string }, base: string, head: string) {
  const judgeChange = createChangeJudge({
    judgePath: createPathJudge(),
    judgeContent,
    judgeSecrets: async () => [],
    readBase: (path) => readBase(mirror, base, path),
  });
  const { files } = await diffCommits({ mirror, from: base, to: head, maxBytes: 0 });
  return listRemarks({ mirror, head: () => head, judgeChange }, files);
}

test('what a person has to look at, by file and rule, against the base', async () => {
  const repository = makeRepository();
  const base = repository.commit({
    'package.json': '{"dependencies":{"a":"1"}}',
    'bin/old': Buffer.from([0, 1]),
  });
  const others = Object.fromEntries(
    Array.from({ length: 45 }, (_, index) => [`src/${index}.ts`, `${index}\n`]),
  );
  const head = repository.commit({
    ...others,
    'package.json': '{"dependencies":{"a":"1","b":"2","c":"3"}}',
    'bin/old': Buffer.from([0, 2]),
    'bin/new': Buffer.from([0, 3]),
  });
  expect(await remarksOf(repository, base, head)).toEqual({
    refused: [],
    remarks: [
      { path: 'bin/new', rule: 'new-binary', reason: expect.any(String), tokens: [] },
      { path: 'package.json', rule: 'new-dependency', reason: expect.any(String), tokens: ['b@2', 'c@3'] },
    ],
  });
});

test('what no proposal may have is found in the commit, whatever kept it', async () => {
  const repository = makeRepository();
  const base = repository.commit({
    'CLAUDE.md': 'rules that many words are spent on, and that stay the same\n',
    'a.ts': 'a\n',
  });
  rmSync(join(repository.folder, 'CLAUDE.md'));
  symlinkSync('.env', join(repository.folder, 'settings'));
  const head = repository.commit({
    'rules.md': 'rules that many words are spent on, and that stay the same\n',
    '.env': 'A=1\n',
    'a.ts': '<<<<<<< HEAD\n',
  });
  const { refused } = await remarksOf(repository, base, head);
  expect(refused.map(({ path, objection }) => `${path} ${objection.rule}`).sort()).toEqual([
    '.env environment-file',
    'CLAUDE.md agent-instructions',
    'a.ts conflict-marker',
    'settings environment-file',
  ]);
});
