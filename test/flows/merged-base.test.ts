/** Others merge the base branch into the branch of a proposal: what came with it is no part of the change. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, conversationFor, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { proposalOf } from '../support/events.ts';
import { openFolder, openPlatform, openRepository } from '../support/lifetime.ts';
import { brokenSum } from '../support/repository.ts';

const write = (path: string, content: string) => turn(call('write_file', { path, content }));
const done = turn(say('Mend'));
const platform = await openPlatform({
  conversations: [
    conversationFor(
      'case merged',
      write('b.mjs', 'export {};\n'),
      done,
      done,
      write('NOTES.md', 'a\n'),
      done,
      done,
    ),
  ],
  settings: { FETTLE_FAULT_EVIDENCE: 'on' },
});

const { 'sum.test.mjs': sumTest, ...untested } = brokenSum;
const repository = openRepository({
  ...untested,
  'half.test.mjs': sumTest.replace('adds', 'adds nothing').replace('add(2, 3), 5', 'add(2, 0), 2'),
});

function mergeIntoBranch(branch: string, files: Record<string, string>): void {
  const folder = join(openFolder('merged'), 'tree');
  const { git } = repository;
  git('worktree', 'add', '-q', '--detach', folder, 'main');
  mkdirSync(folder, { recursive: true });
  for (const [path, content] of Object.entries(files)) writeFileSync(join(folder, path), content);
  git('-C', folder, 'add', '-A');
  git('-C', folder, 'commit', '-qm', 'theirs');
  const main = git('-C', folder, 'rev-parse', 'HEAD');
  git('-C', folder, 'checkout', '-q', '--detach', branch);
  git('-C', folder, 'merge', '-q', '--no-edit', main);
  git('update-ref', `refs/heads/${branch}`, git('-C', folder, 'rev-parse', 'HEAD'));
  git('worktree', 'remove', '--force', folder);
  rmSync(folder, { recursive: true, force: true });
  git('reset', '-q', '--hard', main);
}

test('the fix of another is neither evidence nor counted', async () => {
  const { operation } = await platform.run(repository.request('fix', 'case merged'));
  const first = proposalOf(operation);
  expect(first.evidence?.fault).toMatchObject({ status: 'none' });
  mergeIntoBranch(first.branch, {
    'sum.mjs': brokenSum['sum.mjs'].replace('a - b', 'a + b'),
    'sum.test.mjs': sumTest,
  });
  const body = { message: 'add a note' };
  await platform.call('POST', `/v1/operations/${operation.id}/request-changes`, { body });
  await platform.follow(operation.id, { times: 2 });
  const revised = proposalOf(await platform.get(operation.id));
  expect(revised.headCommit).not.toBe(first.headCommit);
  expect(revised.evidence).toMatchObject({ fault: { status: 'none', failsBefore: [] }, doubts: [] });
  const response = await platform.call('GET', revised.pullRequest.url);
  expect(await response.json()).toMatchObject({ stat: { files: 2 } });
});
