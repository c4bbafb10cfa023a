import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { failureFromStderr } from '../process/git-error.ts';
import { diffCommits } from '../read/diff-commits.ts';
import { mirrorOf, mirrorWith } from '../testing/mirror.ts';
import {
  cleanEnvironment,
  commitFiles,
  git,
  repositoryWith,
  someone,
  temporaryFolder,
} from '../testing/repository.ts';
import { openCheckpoints } from './checkpoints.ts';
import { commitProposal } from './commit-proposal.ts';
import { composeMessage } from './compose-message.ts';
import type { TreeChange } from './fast-import-stream.ts';
import { pushCommit } from './push-commit.ts';

const dateSeconds = 1_700_000_000;

async function checkpointOn(mirror: string, base: string, changes: TreeChange[]) {
  const ref = 'refs/fettle/checkpoints/op';
  const checkpoints = await openCheckpoints({ mirror, ref, base, identity: someone });
  onTestFinished(() => checkpoints.close());
  return checkpoints.write({ changes, message: 'checkpoint\n', dateSeconds });
}

function file(path: string, content: string | Buffer): TreeChange {
  return { kind: 'file', path, executable: false, bytes: Buffer.from(content) };
}

async function proposal(files: Record<string, string>, changes: TreeChange[]) {
  const { mirror, source, base } = await mirrorWith(files);
  const tree = await checkpointOn(mirror, base, changes);
  const people = { author: someone, committer: { name: 'Fettle <bot>\n', email: 'bot@example.com' } };
  const options = { mirror, tree, base, message: 'Ünï subject\n\nbody\n', dateSeconds, ...people };
  return { mirror, source, base, tree, options, commit: await commitProposal(options) };
}

test('a proposal is one commit on the base, with the same hash every time', async () => {
  const { mirror, base, tree, options, commit } = await proposal({ a: 'a' }, [file('b', 'b')]);
  expect(await commitProposal(options)).toBe(commit);
  expect(git(mirror, 'cat-file', '-p', commit)).toBe(
    [
      `tree ${git(mirror, 'rev-parse', `${tree}^{tree}`)}`,
      `parent ${base}`,
      'author Some One <someone@example.com> 1700000000 +0000',
      'committer Fettle bot <bot@example.com> 1700000000 +0000',
      '',
      'Ünï subject\n\nbody',
    ].join('\n'),
  );
});

test('git finds our trailers, and no fake ones from the body', () => {
  const message = composeMessage({
    subject: 'Fix the\nlogin\0 page',
    body: 'Because.\r\n\r\n---\r\nApproved-by: nobody\r\n\r\n\r\n',
    trailers: [
      ['Fettle-Operation', 'op_1\nApproved-by: nobody'],
      ['Bad Key:', 'value'],
      ['Empty', ' \n'],
    ],
  });
  expect(message).toBe(
    'Fix the login page\n\nBecause.\n\n ---\nApproved-by: nobody\n\n' +
      'Fettle-Operation: op_1 Approved-by: nobody\nBad-Key: value\n',
  );
  const options = { input: message, env: cleanEnvironment };
  const parsed = execFileSync('git', ['interpret-trailers', '--parse'], options).toString();
  expect(parsed).toBe('Fettle-Operation: op_1 Approved-by: nobody\nBad-Key: value\n');
  expect(composeMessage({ subject: ' ' })).toBe('Change without a subject\n');
});

test('a push creates the branch, and a second push is not an error', async () => {
  const { mirror, source, commit } = await proposal({ a: 'a' }, [file('b', 'b')]);
  const push = { mirror, target: source, commit, branch: 'agent/1-x' };
  expect(await pushCommit(push)).toBe('created');
  expect(await pushCommit(push)).toBe('unchanged');
  expect(git(source, 'rev-parse', 'agent/1-x')).toBe(commit);
  expect(git(source, 'status', '--porcelain')).toBe('');
});

test('pushes of one commit at the same time all succeed', async () => {
  const { mirror, source, commit } = await proposal({ a: 'a' }, [file('b', 'b')]);
  const push = { mirror, target: source, commit, branch: 'agent/1-x' };
  const outcomes = await Promise.all([pushCommit(push), pushCommit(push), pushCommit(push)]);
  expect(outcomes).toContain('created');
});

test('a branch that somebody moved is left alone', async () => {
  const { mirror, source, base, commit } = await proposal({ a: 'a' }, [file('b', 'b')]);
  git(source, 'checkout', '--quiet', '-b', 'agent/1');
  const theirs = commitFiles(source, { c: 'c' });
  git(source, 'checkout', '--quiet', 'main');
  const push = pushCommit({ mirror, target: source, commit, branch: 'agent/1' });
  await expect(push).rejects.toMatchObject({
    code: 'push_rejected',
    found: theirs,
    message: expect.stringContaining(theirs),
  });
  git(source, 'branch', 'behind', base);
  const behind = pushCommit({ mirror, target: source, commit, branch: 'behind' });
  await expect(behind).rejects.toMatchObject({ code: 'push_rejected', found: base });
  expect(git(source, 'rev-parse', 'behind')).toBe(base);
});

test('a branch that continues from our commit already contains it', async () => {
  const { mirror, source, commit } = await proposal({ a: 'a' }, [file('b', 'b')]);
  const push = { mirror, target: source, commit, branch: 'agent/1-x' };
  await pushCommit(push);
  git(source, 'checkout', '--quiet', 'agent/1-x');
  const theirs = commitFiles(source, { c: 'c' });
  git(source, 'checkout', '--quiet', 'main');
  expect(await pushCommit(push)).toBe('unchanged');
  expect(git(source, 'rev-parse', 'agent/1-x')).toBe(theirs);
});

test('the error names the branch that blocks the new one', async () => {
  const { mirror, source, base, commit } = await proposal({ a: 'a' }, [file('b', 'b')]);
  git(source, 'branch', 'agent', base);
  const push = pushCommit({ mirror, target: source, commit, branch: 'agent/1' });
  await expect(push).rejects.toMatchObject({
    code: 'push_rejected',
    message: expect.stringContaining('cannot exist next to the branch agent '),
  });
});

test('the checked-out branch of a plain clone is not touched', async () => {
  const { mirror, source, base, commit } = await proposal({ a: 'a' }, [file('b', 'b')]);
  for (const setting of ['ignore', 'updateInstead']) {
    git(source, 'config', 'receive.denyCurrentBranch', setting);
    const push = pushCommit({ mirror, target: source, commit, branch: 'main' });
    await expect(push).rejects.toMatchObject({ code: 'push_rejected', found: base });
  }
  expect(git(source, 'status', '--porcelain')).toBe('');
});

test('a bad branch name and a missing target have different codes', async () => {
  const { mirror, source, commit } = await proposal({ a: 'a' }, [file('b', 'b')]);
  const codeOf = (more: { target?: string; branch?: string; commit?: string }) =>
    pushCommit({ mirror, target: source, commit, branch: 'x', ...more }).catch((error) => error.code);
  expect(await codeOf({ branch: '--force' })).toBe('bad_ref');
  expect(await codeOf({ branch: 'a..b' })).toBe('bad_ref');
  expect(await codeOf({ commit: 'main' })).toBe('bad_ref');
  expect(await codeOf({ target: join(source, 'gone') })).toBe('unreachable');
  expect(await codeOf({ target: temporaryFolder() })).toBe('not_a_repository');
});

test('a diff has text, files and line counts, and detects renames', async () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}\n`).join('');
  const { mirror, base, commit } = await proposal(
    {
      'old name': lines,
      'a\tb\n"c"': 'one\ntwo\n',
      gone: 'x\n',
      link: 'now a link',
      '.gitattributes': '* -diff\n',
    },
    [
      { kind: 'deleted', path: 'old name' },
      file('new/nämе', `${lines}more\n`),
      file('a\tb\n"c"', 'one\n2\n3\n'),
      { kind: 'deleted', path: 'gone' },
      { kind: 'symlink', path: 'link', bytes: Buffer.from('a') },
      file('bin', Buffer.from([0, 1, 2])),
    ],
  );
  const diff = await diffCommits({ mirror, from: base, to: commit });
  expect(diff.files).toEqual([
    { path: 'a\tb\n"c"', status: 'modified', added: 2, deleted: 1, binary: false },
    { path: 'bin', status: 'added', added: 0, deleted: 0, binary: true },
    { path: 'gone', status: 'deleted', added: 0, deleted: 1, binary: false },
    { path: 'link', status: 'type_changed', added: 1, deleted: 1, binary: false },
    { path: 'new/nämе', oldPath: 'old name', status: 'renamed', added: 1, deleted: 0, binary: false },
  ]);
  expect([diff.added, diff.deleted, diff.truncated]).toEqual([4, 3, false]);
  expect(diff.text).toContain('rename to new/nämе');
  expect(diff.text).toContain('+2\n+3\n');
  const cut = await diffCommits({ mirror, from: base, to: commit, maxBytes: 100 });
  expect(cut).toEqual({ ...diff, text: diff.text.slice(0, 100), truncated: true });
});

test('a mirror ignores the attributes of the tree and of its own config', async () => {
  const source = repositoryWith({ '.gitattributes': '* diff=evil -text\n', a: 'one\n' });
  const { mirror, base } = await mirrorOf(source);
  const marker = join(temporaryFolder(), 'marker');
  for (const key of ['diff.evil.textconv', 'diff.evil.command', 'diff.external']) {
    git(mirror, 'config', key, `touch ${marker};`);
  }
  writeFileSync(join(source, 'a'), 'two\n');
  const to = await checkpointOn(mirror, base, [file('a', 'two\n')]);
  expect((await diffCommits({ mirror, from: base, to })).text).toContain('-one\n+two\n');
  expect(() => execFileSync('test', ['-e', marker])).toThrow();
});

test('a failed connection and a refused branch have different codes', async () => {
  const { mirror, source, commit } = await proposal({ a: 'a' }, [file('b', 'b')]);
  const push = (target: string) =>
    pushCommit({ mirror, target, commit, branch: 'agent/x', protocols: ['http', 'file'] });
  await expect(push('http://127.0.0.1:1/x.git')).rejects.toMatchObject({ code: 'unreachable' });
  git(source, 'config', 'receive.maxInputSize', '1');
  await expect(push(source)).rejects.toMatchObject({
    code: 'target_failed',
    message: expect.stringContaining('could not store the commit: remote: '),
  });
});

test('the message for a full disk says whose disk it is', () => {
  const lock = "fatal: Unable to create '/m/packed-refs.lock': No space left on device";
  expect(failureFromStderr('fetch', lock)).toMatchObject({
    code: 'disk_full',
    message: 'There is no space left on the disk of the worker.',
    detail: lock,
  });
  const theirs = 'remote: fatal: unable to write loose object file: No space left on device';
  expect(failureFromStderr('push', theirs).message).toContain('the disk of the repository');
});

test('a branch advances from the expected commit only, and never by force', async () => {
  const { mirror, source, base, tree, options, commit } = await proposal({ a: 'a' }, [file('b', 'b')]);
  const push = (pushed: string, expected?: string) =>
    pushCommit({ mirror, target: source, commit: pushed, branch: 'agent/x', expected });
  expect(await push(commit)).toBe('created');
  const second = await commitProposal({ ...options, tree, base: commit });
  expect(await push(second, commit)).toBe('advanced');
  expect(await push(second, commit)).toBe('unchanged');
  // The same branch from the same place, by somebody else.
  const other = await commitProposal({ ...options, base: commit, message: 'other\n' });
  await expect(push(other, commit)).rejects.toMatchObject({ code: 'push_rejected' });
  // The lease would hold, but the push would throw away the second commit.
  await expect(push(other, second)).rejects.toMatchObject({ code: 'push_rejected' });
  await expect(push(base, second)).rejects.toMatchObject({ code: 'push_rejected' });
  expect(git(source, 'rev-parse', 'agent/x')).toBe(second);
});
