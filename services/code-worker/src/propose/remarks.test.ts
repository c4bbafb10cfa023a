import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { EventBody, FinishedToolPart } from '@fettle/contract';
import { diffCommits } from '@fettle/git';
import { createPathJudge, judgeContent } from '@fettle/policy';
import { expect, test } from 'vitest';
import { readBase } from '../mirror/mirror.ts';
import { createChangeJudge } from '../save/judge-change.ts';
import { makeRepository } from '../testing/make-repository.ts';
import { createCommandRemarks, listFileRemarks } from './remarks.ts';

async function remarksOf({ mirror }: { mirror: string }, base: string, head: string) {
  const judgeChange = createChangeJudge({
    judgePath: createPathJudge(),
    judgeContent,
    judgeSecrets: async () => [],
    readBase: (path) => readBase(mirror, base, path),
  });
  const { files } = await diffCommits({ mirror, from: base, to: head, maxBytes: 0 });
  return listFileRemarks({ mirror, head: () => head, judgeChange }, files);
}

test('remarks are listed by file and rule, compared with the base', async () => {
  const repository = await makeRepository();
  const base = await repository.commit({
    'package.json': '{"dependencies":{"a":"1"}}',
    'bin/old': Buffer.from([0, 1]),
  });
  const others = Object.fromEntries(
    Array.from({ length: 45 }, (_, index) => [`src/${index}.ts`, `${index}\n`]),
  );
  const head = await repository.commit({
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

test('refused files are found in the commit, even if a guard let them pass', async () => {
  const repository = await makeRepository();
  const base = await repository.commit({
    'CLAUDE.md': 'a long enough text that stays the same, so that git sees a rename\n',
    'a.ts': 'a\n',
  });
  rmSync(join(repository.folder, 'CLAUDE.md'));
  symlinkSync('.env', join(repository.folder, 'settings'));
  const head = await repository.commit({
    'rules.md': 'a long enough text that stays the same, so that git sees a rename\n',
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

const part = (number: number, more: Partial<FinishedToolPart>): EventBody => ({
  type: 'part.finished',
  part: {
    ...{ number, turn: 1, kind: 'tool', callId: 'c', tool: 'run_command', input: {}, status: 'ok' },
    ...{ output: '', durationMs: 1, programMs: 1, changed: [], ...more },
  },
});
const remark = { rule: 'operator: git commit', token: 'git commit', reason: 'commits need a look' };

test('marked commands on record are listed once per rule', () => {
  const collected = createCommandRemarks();
  collected.observe([part(1, {}), part(2, { remarks: [remark] })]);
  collected.observe([part(3, { remarks: [remark, { ...remark, rule: 'operator: rm', token: 'rm' }] })]);
  expect(collected.list()).toEqual([
    { path: 'git commit', rule: 'operator: git commit', reason: remark.reason, tokens: [] },
    { path: 'rm', rule: 'operator: rm', reason: remark.reason, tokens: [] },
  ]);
});
