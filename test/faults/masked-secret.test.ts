/** A worker dies after it masked a secret and before it put the secret back: the next one finds the secret again by reading. */
import { interruptedOutput } from '@fettle/agent';
import { call, conversation, say, seen, turn } from '@fettle/rehearsal';
import { createRandom, synthesize } from '@fettle/secrets/testing';
import { expect, test } from 'vitest';
import { openPlatform, openRepository, openWorker } from '../support/lifetime.ts';
import type { Environment } from '../support/service-process.ts';
import { expectProposal } from './support/expect-proposal.ts';
import { expectKilled } from './support/observe.ts';

const random = createRandom(Date.now() % 100_000);
const draw = (template: string) => synthesize(template, random);
const secrets = { token: draw('ghp_{an36}'), password: draw('{an20}') };
const files = {
  '.fettle/config.yml': 'commands:\n  build: test -e src/config.mjs\n',
  'src/config.mjs': `const token = '${secrets.token}';\n`,
  'src/database.mjs': `const DB_PASSWORD = '${secrets.password}';\n`,
  // Recognised as a secret only after the other file was read.
  'docs/notes.txt': `Somebody wrote ${secrets.password} here.\n`,
};
const token = '⟦secret:[^⟧]+⟧';

const edit = conversation(
  'edit',
  [
    turn(call('read_file', { path: 'src/database.mjs' })),
    turn(call('read_file', { path: 'docs/notes.txt' }), call('read_file', { path: 'src/config.mjs' })),
    turn(
      call('edit_file', {
        path: 'src/config.mjs',
        edits: [
          { old: seen(`const token = '${token}'`), new: seen(`const token = '${token}'`, '// Ours\n$&') },
        ],
      }),
    ),
    turn(
      call('edit_file', {
        path: 'docs/notes.txt',
        edits: [{ old: seen(`wrote ${token}`), new: seen(`wrote (${token})`, 'has $1') }],
      }),
    ),
    turn(call('run_command', { command: 'cat docs/notes.txt' })),
    turn(say('Say whose it is')),
  ],
  { repeatOn: interruptedOutput.slice(0, 40) },
);

const settings = { FETTLE_LEASE_SECONDS: '3' };
const platform = await openPlatform({ conversations: [edit], settings, workers: 0 });
const repository = openRepository(files);
const startWorker = (settings?: Environment) => openWorker(platform, settings);
const create = (description: string) => platform.create(repository.request('implement', description));
const treeOf = (commit: string) => repository.git('rev-parse', `${commit}^{tree}`);
const worker = await platform.startWorker();
const wanted = treeOf(await finish((await create('undisturbed')).id));
await worker.kill();

async function finish(id: string): Promise<string> {
  const { operation, events } = await expectProposal(platform, repository, id);
  expect(platform.rehearsal.failures()).toEqual([]);
  const sent = platform.rehearsal.requests().map(({ body }) => JSON.stringify(body));
  const parts = events.filter(({ type }) => type.startsWith('part.') || type.startsWith('turn.'));
  for (const secret of Object.values(secrets)) {
    expect(sent.filter((body) => body.includes(secret))).toEqual([]);
    expect(JSON.stringify(parts)).not.toContain(secret);
  }
  return operation.outcome?.kind === 'proposal' ? operation.outcome.headCommit : 'none';
}

test('the tree contains the secrets in their places', () => {
  expect(repository.git('show', `${wanted}:src/config.mjs`)).toBe(
    `// Ours\n${files['src/config.mjs']}`.trim(),
  );
  expect(repository.git('show', `${wanted}:docs/notes.txt`)).toBe(`Somebody has ${secrets.password} here.`);
});

test.each([
  'part-finished:2',
  'part-finished:3',
  'answered:3',
  'answer-recorded:3',
  'tool-ran:4',
  'tool-ran:5',
])('killed at %s: the tree is the same, and no secret is shown', async (point) => {
  const doomed = await startWorker({ FETTLE_TEST_CRASH: point });
  const { id } = await create(`killed at ${point}`);
  await expectKilled(doomed);
  await startWorker();
  expect(treeOf(await finish(id))).toBe(wanted);
});
