import { spawnSync } from 'node:child_process';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { syncMirror } from './mirror/sync-mirror.ts';
import { inspectSource } from './read/inspect-source.ts';
import { hostilePartialClone, hostileRepository } from './testing/hostile.ts';
import { cleanEnvironment, repositoryWith, someone, temporaryFolder } from './testing/repository.ts';
import { commitProposal } from './write/commit-proposal.ts';
import { pushCommit } from './write/push-commit.ts';

const newMirror = () => join(temporaryFolder(), 'mirror.git');

function touch(repository: string) {
  for (const name of ['a.txt', 'b.dat']) utimesSync(join(repository, name), 1, 1);
}

function plainGit(folder: string, ...args: string[]) {
  return spawnSync('git', args, { cwd: folder, env: cleanEnvironment, timeout: 10_000 });
}

async function proposalOn(mirror: string, base: string) {
  return commitProposal({
    ...{ mirror, tree: base, base, message: 'a proposal\n' },
    ...{ author: someone, committer: someone, dateSeconds: 1_700_000_000 },
  });
}

test('an ordinary git runs the programs of a hostile repository', async () => {
  const { repository, sprung } = hostileRepository();
  touch(repository);
  plainGit(repository, 'status');
  plainGit(repository, 'diff');
  const other = repositoryWith({ 'c.txt': 'three\n' });
  plainGit(other, 'push', repository, 'HEAD:refs/heads/other');
  expect(sprung()).toEqual(
    expect.arrayContaining([
      ...['alternate-refs', 'clean', 'filter-process', 'fsmonitor'],
      ...['hook-pre-receive', 'hook-reference-transaction'],
    ]),
  );
  const partial = hostilePartialClone();
  plainGit(partial.repository, 'cat-file', '-p', 'HEAD:a.txt');
  expect(partial.sprung()).toEqual(['lazy-uploadpack']);
});

test('inspecting a hostile repository runs none of its programs', async () => {
  const { repository, sprung } = hostileRepository();
  touch(repository);
  expect(await inspectSource(repository)).toEqual({
    ...{ isRepository: true, isBare: false, hasUncommittedChanges: true, currentBranch: 'main' },
  });
  expect(sprung()).toEqual([]);
});

test('syncing from a hostile repository runs none of its programs', async () => {
  const { repository, sprung } = hostileRepository();
  const mirror = newMirror();
  const state = await syncMirror({ mirror, source: repository });
  expect(state.defaultBranch).toBe('main');
  await syncMirror({ mirror, source: `file://${repository}` });
  expect(sprung()).toEqual([]);
});

test('pushing to a hostile repository runs none of its programs', async () => {
  const { repository, sprung } = hostileRepository();
  const mirror = newMirror();
  const { heads } = await syncMirror({ mirror, source: repository });
  const commit = await proposalOn(mirror, heads.get('main') ?? '');
  expect(await pushCommit({ mirror, target: repository, commit, branch: 'agent/1' })).toBe('created');
  const push = pushCommit({ mirror, target: repository, commit, branch: 'main' });
  await expect(push).rejects.toMatchObject({ code: 'push_rejected', found: heads.get('main') });
  expect(sprung()).toEqual([]);
});

test('a partial clone does not fetch its missing objects', async () => {
  const { repository, sprung } = hostilePartialClone();
  await expect(syncMirror({ mirror: newMirror(), source: repository })).rejects.toMatchObject({
    code: expect.stringMatching(/failed|unreachable/),
  });
  await inspectSource(repository);
  const mirror = newMirror();
  const { heads } = await syncMirror({ mirror, source: repositoryWith({ 'a.txt': 'another\n' }) });
  const commit = await proposalOn(mirror, heads.get('main') ?? '');
  expect(await pushCommit({ mirror, target: repository, commit, branch: 'agent/1' })).toBe('created');
  expect(sprung()).toEqual([]);
});
