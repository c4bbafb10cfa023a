/** What the base protects stays, however it is gone about. */
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { expect, onTestFinished, test } from 'vitest';
import { startPlatform } from './platform.ts';
import { makeRepository } from './repository.ts';

const files = {
  'infra/prod.tf': 'good\n',
  'infra/notes.md': 'notes\n',
  'src/prod.tf': 'another\n',
  '.fettle/config.yml': 'protectedPaths: [infra/prod.tf]\n',
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
    conversation(name, [turn(call('run_command', { command })), turn(say('Done'))], {
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
