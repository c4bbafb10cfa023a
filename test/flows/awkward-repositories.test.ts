/** Unusual repositories: each operation ends correctly or with a clear reason. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Operation } from '@fettle/contract';
import { call, conversation, conversationFor, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { ofType, proposalOf, toolOutputs } from '../support/events.ts';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import type { TestRepository } from '../support/repository.ts';
import { shell, shellFile } from '../support/shell-file.ts';

const writeNote = conversation('note', [
  turn(call('list_directory', {})),
  turn(call('write_file', { path: 'note.txt', content: 'a note\n' })),
  turn(say('Add a note')),
]);

let repository: TestRepository | undefined;
const replaceAll = conversationFor(
  'odd-line-ends',
  turn(call('edit_file', { path: 'windows.txt', edits: [{ old: 'two', new: 'zwei' }] })),
  turn(say('Translate')),
);
const names = conversationFor(
  'odd-names',
  turn(
    call('read_file', { path: 'a name with spaces.txt' }),
    call('write_file', { path: 'новый файл ✓.txt', content: 'neu\n' }),
    call('edit_file', { path: 'line\nbreak.txt', edits: [{ old: 'x', new: 'y' }] }),
    call('delete_file', { path: '"quoted"\\name' }),
    call('run_command', { command: shell("printf 'tab' > \"$(printf 'a\\tb')\"") }),
  ),
  turn(say('Rename things')),
);
const links = conversationFor(
  'odd-links',
  turn(
    call('read_file', { path: 'inside-link' }),
    call('read_file', { path: 'outside-link' }),
    call('write_file', { path: 'inside-link', content: 'x' }),
    call('run_command', {
      command: shell('ln -s /etc/passwd leak; ln -s real.txt fine; rm gone-link'),
    }),
  ),
  turn(say('Relink')),
);
const platform = await openPlatform({ conversations: [replaceAll, names, links, writeNote] });

async function run(
  made: TestRepository,
  description = 'write a note',
): Promise<{ operation: Operation; changed: string[]; outputs: string[] }> {
  repository = made;
  const { operation, events } = await platform.run(made.request('implement', description));
  const branch = operation.outcome?.kind === 'proposal' ? operation.outcome.branch : undefined;
  const base = ofType(events, 'workspace.ready').map(({ baseBranch }) => baseBranch)[0];
  const listed =
    branch && base
      ? made.git('diff', '--name-status', '--no-renames', '-z', base, branch).split('\0').filter(Boolean)
      : [];
  const outputs = toolOutputs(events);
  return { operation, changed: listed, outputs };
}

test('an empty repository', async () => {
  const { operation } = await run(openRepository({}));
  expect(operation).toMatchObject({
    state: 'failed',
    outcome: { reason: 'repository_empty', message: expect.stringContaining('no commits yet') },
  });
});

test('no tests: the proposal says that nothing was proven', async () => {
  const { operation, changed } = await run(openRepository({ 'README.md': 'hello\n' }));
  expect(changed).toEqual(['A', 'note.txt']);
  const response = await platform.call('GET', proposalOf(operation).pullRequest.url);
  expect(await response.text()).toContain('The repository has no checks that Fettle can run');
});

test('20,000 files', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, i) => [`dir${i % 200}/sub${i % 7}/file${i}.txt`, `file ${i}\n`]),
  );
  const { changed } = await run(openRepository(files));
  expect(changed).toEqual(['A', 'note.txt']);
});

test('a default branch with an unusual name, and a missing base branch', async () => {
  const made = openRepository({ a: 'a' }, { branch: 'трунк' });
  const { operation, changed } = await run(made);
  expect(changed).toEqual(['A', 'note.txt']);
  expect(operation.state).toBe('awaiting_approval');
  const other = await platform.run({
    kind: 'fix',
    description: 'x',
    repository: made.path,
    baseBranch: 'main',
  });
  expect(other.operation.outcome).toMatchObject({
    reason: 'base_branch_not_found',
    message: expect.stringContaining('трунк'),
  });
});

test('a config that is too large or broken is not retried; a large manifest is no problem', async () => {
  const large = {
    dependencies: Object.fromEntries(Array.from({ length: 9_000 }, (_, i) => [`a${i}`, '1.0.0'])),
  };
  const { operation, changed } = await run(openRepository({ 'package.json': JSON.stringify(large) }));
  expect([operation.state, changed]).toEqual(['awaiting_approval', ['A', 'note.txt']]);
  for (const config of [`# ${'x'.repeat(200_000)}`, 'setup: ["a\\0b"]', 'a: 1\na: 2']) {
    const made = openRepository({ '.fettle/config.yml': config });
    const request = made.request('fix', 'x');
    const { operation: ended } = await platform.run(request);
    expect(ended).toMatchObject({ attempts: 1, outcome: { reason: 'bad_config' } });
    made.remove();
  }
});

test('a detached HEAD is reported, and the default branch is used', async () => {
  const made = openRepository({ a: 'a' });
  made.git('checkout', '--quiet', '--detach');
  const { changed } = await run(made);
  expect(changed).toEqual(['A', 'note.txt']);
  const { events } = await platform.run(made.request('fix', 'again'));
  expect(events).toContainEqual(expect.objectContaining({ type: 'notice', code: 'detached_head' }));
});

test('binary files and uncommitted changes are not modified', async () => {
  const binary = Buffer.from(Array.from({ length: 4096 }, (_, i) => i % 256));
  const made = openRepository({ 'logo.png': binary, a: 'a' });
  writeFileSync(join(made.path, 'a'), 'uncommitted');
  writeFileSync(join(made.path, 'untracked'), 'mine');
  const { changed } = await run(made);
  expect(changed).toEqual(['A', 'note.txt']);
  expect(readFileSync(join(made.path, 'a'), 'utf8')).toBe('uncommitted');
  const { events } = await platform.run(made.request('fix', 'again'));
  expect(events).toContainEqual(expect.objectContaining({ type: 'notice', code: 'uncommitted_changes' }));
});

test('eol=crlf and LFS attributes do not change unedited bytes', async () => {
  const { changed } = await run(
    openRepository({
      '.gitattributes':
        '*.txt text eol=crlf\n*.bin filter=lfs diff=lfs merge=lfs -text\n*.utf16 working-tree-encoding=UTF-16\n',
      'windows.txt': 'one\ntwo\nthree\n',
      'unix.txt': 'one\n',
    }),
    'odd-line-ends',
  );
  expect(changed).toEqual(['M', 'windows.txt']);
  const branch = repository?.git('branch', '--list', 'agent/*', '--format=%(refname:short)') ?? '';
  expect(repository?.git('show', `${branch}:windows.txt`)).toBe('one\nzwei\nthree');
});

test('names with spaces, line breaks, quotes and Unicode', async () => {
  const { changed, outputs } = await run(
    openRepository({
      'a name with spaces.txt': 'hi\n',
      'line\nbreak.txt': 'x\n',
      '"quoted"\\name': 'q\n',
      '-dash': 'd\n',
      ...shellFile,
    }),
    'odd-names',
  );
  expect(outputs.map((output) => output.split(':')[0])).toEqual(['ok', 'ok', 'ok', 'ok', 'ok']);
  expect(changed).toEqual([
    'D',
    '"quoted"\\name',
    'A',
    'a\tb',
    'M',
    'line\nbreak.txt',
    'A',
    'новый файл ✓.txt',
  ]);
});

test('symbolic links are followed for reading inside the repository, never outside, and never for writing', async () => {
  const made = openRepository({ 'real.txt': 'real\n', ...shellFile });
  symlinkSync('real.txt', join(made.path, 'inside-link'));
  symlinkSync('/etc/hostname', join(made.path, 'outside-link'));
  symlinkSync('nowhere', join(made.path, 'gone-link'));
  made.git('add', '-A');
  made.git('commit', '-qm', 'links');
  const { changed, outputs } = await run(made, 'odd-links');
  expect(outputs.map((output) => output.split(':')[0])).toEqual(['ok', 'failed', 'failed', 'ok']);
  expect(outputs[3]).toMatch(/leak/);
  expect(changed).toEqual(['A', 'fine', 'D', 'gone-link']);
});

test('a submodule is not changed', async () => {
  const inner = openRepository({ 'inner.txt': 'inner\n' });
  const made = openRepository({ a: 'a' });
  made.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', inner.path, 'vendor/inner');
  made.git('commit', '-qm', 'submodule');
  const { changed } = await run(made);
  inner.remove();
  expect(changed).toEqual(['A', 'note.txt']);
});

test('a bare repository, and one with hooks that must not run', async () => {
  const plain = openRepository({ a: 'a' });
  const bare = openRepository({});
  bare.git('clone', '-q', '--bare', plain.path, 'bare.git');
  const barePath = join(bare.path, 'bare.git');
  for (const hook of ['pre-receive', 'update', 'post-receive', 'post-update', 'reference-transaction']) {
    mkdirSync(join(barePath, 'hooks'), { recursive: true });
    writeFileSync(
      join(barePath, 'hooks', hook),
      `#!/bin/sh\ntouch ${join(bare.path, 'hook-ran')}\nexit 1\n`,
      { mode: 0o755 },
    );
  }
  const { operation } = await platform.run({
    kind: 'implement',
    description: 'write a note',
    repository: barePath,
  });
  expect(operation.state).toBe('awaiting_approval');
  expect(bare.git('ls-files', '-o')).not.toContain('hook-ran');
  plain.remove();
  bare.remove();
});
