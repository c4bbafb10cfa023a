/** Protected files of the base stay, whatever the agent tries. */
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, conversation, conversationFor, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { proposalOf } from '../support/events.ts';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import { shell, shellFile } from '../support/shell-file.ts';

const files = {
  'infra/prod.tf': 'good\n',
  'infra/notes.md': 'notes\n',
  'src/prod.tf': 'another\n',
  '.fettle/config.yml': 'protectedPaths: [infra/prod.tf]\n',
  ...shellFile,
};
const attempts = {
  'a link': 'rm -rf infra; ln -s src infra; echo done > done.txt',
  'a file': 'rm -rf infra; echo evil > infra; echo done > done.txt',
  'nothing at all': 'rm -rf infra; echo done > done.txt',
  'other modules':
    'printf \'[submodule "x"]\\n url = ext::sh -c id\\n path = x\\n\' > .gitmodules; echo done > done.txt',
};

test('a folder with a protected file cannot be removed', async () => {
  const conversations = Object.entries(attempts).map(([name, command]) =>
    conversationFor(
      `puts ${name} there`,
      turn(call('run_command', { command: shell(command) })),
      turn(say('Done')),
    ),
  );
  const platform = await openPlatform({ conversations });
  for (const name of Object.keys(attempts)) {
    const repository = openRepository(files);
    const { operation } = await platform.run(repository.request('implement', `puts ${name} there`));
    const outcome = proposalOf(operation);
    const tree = repository.git('ls-tree', '-r', '--name-only', outcome.headCommit).split('\n');
    expect(tree, name).toEqual(expect.arrayContaining(['done.txt', 'infra/prod.tf', 'src/prod.tf']));
    expect(tree).not.toContain('.gitmodules');
    expect(repository.git('show', `${outcome.headCommit}:infra/prod.tf`)).toBe('good');
  }
});

test('a removed protected link is restored in the sandbox too', async () => {
  const look = (name: string) =>
    call('run_command', { command: shell(`readlink infra/current > ${name}; true`) });
  const turns = [
    turn(call('run_command', { command: shell('rm -rf infra') })),
    turn(look('gone.txt')),
    turn(call('run_command', { command: shell('ln -sfn ../src/prod.tf infra/current') })),
    turn(look('other.txt')),
    turn(say('Done')),
  ];
  const platform = await openPlatform({ conversations: [conversation('links', turns)] });
  const repository = openRepository({ ...files, '.fettle/config.yml': 'protectedPaths: [infra/**]\n' });
  symlinkSync('prod.tf', join(repository.path, 'infra/current'));
  repository.git('add', '.');
  repository.git('commit', '-qm', 'a link');
  const { operation } = await platform.run(repository.request('implement', 'takes a link away'));
  const outcome = proposalOf(operation);
  const show = (path: string) => repository.git('show', `${outcome.headCommit}:${path}`);
  expect(['gone.txt', 'other.txt', 'infra/current'].map(show)).toEqual(['prod.tf', 'prod.tf', 'prod.tf']);
});

test('a protected file that is too large to be restored does not end the attempt', async () => {
  const sizesMb = { 'medium.bin': 9, 'large.bin': 33 };
  const names = Object.keys(sizesMb);
  const turns = [
    turn(call('run_command', { command: shell(`rm ${names.join(' ')}; echo done > done.txt`) })),
    turn(call('run_command', { command: 'ls > seen.txt' })),
    turn(say('Done')),
  ];
  const platform = await openPlatform({ conversations: [conversation('large', turns)] });
  const repository = openRepository({
    ...shellFile,
    '.fettle/config.yml': `protectedPaths: [${names.join(', ')}]\n`,
  });
  for (const [name, mb] of Object.entries(sizesMb))
    writeFileSync(join(repository.path, name), Buffer.alloc(mb * 1024 ** 2, 'x'));
  repository.git('add', '.');
  repository.git('commit', '-qm', 'large files');
  const { operation, events } = await platform.run(repository.request('implement', 'takes large files away'));
  const outcome = proposalOf(operation);
  expect(operation.attempts).toBe(1);
  const changed = repository.git('diff', '--name-only', 'main', outcome.headCommit);
  expect(changed.split('\n')).toEqual(['done.txt', 'seen.txt']);
  const seen = repository.git('show', `${outcome.headCommit}:seen.txt`);
  expect(seen.split('\n')).toEqual(['done.txt', 'medium.bin', 'seen.txt', 'shell.mjs']);
  expect(JSON.stringify(events)).toContain('too large to be restored in the sandbox');
});

const submoduleAttempts = {
  'a file above it': call('run_command', { command: shell('rm -rf vendor; echo evil > vendor') }),
  'a link above it': call('run_command', { command: shell('rm -rf vendor; ln -s src vendor') }),
  'a file in it': call('write_file', { path: 'vendor/lib/evil.txt', content: 'evil' }),
  'a folder for the list': call('run_command', {
    command: shell('rm .gitmodules; mkdir .gitmodules; echo evil > .gitmodules/x'),
  }),
};

test('a submodule and .gitmodules stay', async () => {
  const done = call('write_file', { path: 'done.txt', content: 'done\n' });
  const conversations = Object.entries(submoduleAttempts).map(([name, attempt]) =>
    conversationFor(`puts ${name} there`, turn(attempt), turn(done), turn(say('Done'))),
  );
  const platform = await openPlatform({ conversations });
  for (const name of Object.keys(submoduleAttempts)) {
    const modules = '[submodule "lib"]\n\tpath = vendor/lib\n\turl = https://git.example.org/lib\n';
    const repository = openRepository({ 'src/a.txt': 'a\n', '.gitmodules': modules, ...shellFile });
    repository.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},vendor/lib`);
    repository.git('commit', '-qm', 'a submodule');
    const { operation } = await platform.run(repository.request('implement', `puts ${name} there`));
    const outcome = proposalOf(operation);
    const changed = repository.git('diff', '--no-renames', '--name-only', 'main', outcome.headCommit);
    expect(changed, name).toBe('done.txt');
  }
});
