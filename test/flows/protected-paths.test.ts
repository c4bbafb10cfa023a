/** What the base protects stays, however it is gone about. */
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { expect, onTestFinished, test } from 'vitest';
import { startPlatform } from '../support/platform.ts';
import { makeRepository } from '../support/repository.ts';
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

test('a folder with a protected file is not taken away from above', async () => {
  const conversations = Object.entries(attempts).map(([name, command]) =>
    conversation(name, [turn(call('run_command', { command: shell(command) })), turn(say('Done'))], {
      match: `puts ${name} there`,
    }),
  );
  const platform = await startPlatform({ conversations });
  onTestFinished(() => platform.close());
  for (const name of Object.keys(attempts)) {
    const repository = makeRepository(files);
    onTestFinished(() => repository.remove());
    const { operation } = await platform.run({
      ...{ kind: 'implement', description: `puts ${name} there`, repository: repository.path },
    });
    const { outcome } = operation;
    if (outcome?.kind !== 'proposal') throw new Error(`${name}: ${JSON.stringify(outcome)}`);
    const tree = repository.git('ls-tree', '-r', '--name-only', outcome.headCommit).split('\n');
    expect(tree, name).toEqual(expect.arrayContaining(['done.txt', 'infra/prod.tf', 'src/prod.tf']));
    expect(tree).not.toContain('.gitmodules');
    expect(repository.git('show', `${outcome.headCommit}:infra/prod.tf`)).toBe('good');
  }
});

test('a protected link that was taken away is put back in the sandbox too', async () => {
  const look = (name: string) =>
    call('run_command', { command: shell(`readlink infra/current > ${name}; true`) });
  const turns = [
    turn(call('run_command', { command: shell('rm -rf infra') })),
    turn(look('gone.txt')),
    turn(call('run_command', { command: shell('ln -sfn ../src/prod.tf infra/current') })),
    turn(look('other.txt')),
    turn(say('Done')),
  ];
  const platform = await startPlatform({ conversations: [conversation('links', turns)] });
  onTestFinished(() => platform.close());
  const repository = makeRepository({ ...files, '.fettle/config.yml': 'protectedPaths: [infra/**]\n' });
  onTestFinished(() => repository.remove());
  symlinkSync('prod.tf', join(repository.path, 'infra/current'));
  repository.git('add', '.');
  repository.git('commit', '-qm', 'a link');
  const { operation } = await platform.run({
    ...{ kind: 'implement', description: 'takes a link away', repository: repository.path },
  });
  const { outcome } = operation;
  if (outcome?.kind !== 'proposal') throw new Error(JSON.stringify(outcome));
  const show = (path: string) => repository.git('show', `${outcome.headCommit}:${path}`);
  expect(['gone.txt', 'other.txt', 'infra/current'].map(show)).toEqual(['prod.tf', 'prod.tf', 'prod.tf']);
});

test('a protected file that is too large to be put back ends no attempt', async () => {
  const sizesMb = { 'medium.bin': 9, 'large.bin': 33 };
  const names = Object.keys(sizesMb);
  const turns = [
    turn(call('run_command', { command: shell(`rm ${names.join(' ')}; echo done > done.txt`) })),
    turn(call('run_command', { command: 'ls > seen.txt' })),
    turn(say('Done')),
  ];
  const platform = await startPlatform({ conversations: [conversation('large', turns)] });
  onTestFinished(() => platform.close());
  const repository = makeRepository({
    ...shellFile,
    '.fettle/config.yml': `protectedPaths: [${names.join(', ')}]\n`,
  });
  onTestFinished(() => repository.remove());
  for (const [name, mb] of Object.entries(sizesMb))
    writeFileSync(join(repository.path, name), Buffer.alloc(mb * 1024 ** 2, 'x'));
  repository.git('add', '.');
  repository.git('commit', '-qm', 'large files');
  const { operation, events } = await platform.run({
    ...{ kind: 'implement', description: 'takes large files away', repository: repository.path },
  });
  const { attempts, outcome } = operation;
  if (outcome?.kind !== 'proposal') throw new Error(JSON.stringify(outcome));
  expect(attempts).toBe(1);
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

test('a submodule stays, and so does the list of them', async () => {
  const done = call('write_file', { path: 'done.txt', content: 'done\n' });
  const conversations = Object.entries(submoduleAttempts).map(([name, attempt]) =>
    conversation(name, [turn(attempt), turn(done), turn(say('Done'))], { match: `puts ${name} there` }),
  );
  const platform = await startPlatform({ conversations });
  onTestFinished(() => platform.close());
  for (const name of Object.keys(submoduleAttempts)) {
    const modules = '[submodule "lib"]\n\tpath = vendor/lib\n\turl = https://git.example.org/lib\n';
    const repository = makeRepository({ 'src/a.txt': 'a\n', '.gitmodules': modules, ...shellFile });
    onTestFinished(() => repository.remove());
    repository.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},vendor/lib`);
    repository.git('commit', '-qm', 'a submodule');
    const { operation } = await platform.run({
      ...{ kind: 'implement', description: `puts ${name} there`, repository: repository.path },
    });
    const { outcome } = operation;
    if (outcome?.kind !== 'proposal') throw new Error(`${name}: ${JSON.stringify(outcome)}`);
    const changed = repository.git('diff', '--no-renames', '--name-only', 'main', outcome.headCommit);
    expect(changed, name).toBe('done.txt');
  }
});
