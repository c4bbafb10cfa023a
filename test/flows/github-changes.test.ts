/** What people do on GitHub outside of Fettle. Its webhooks do not arrive: Fettle fetches every event. */
import { call, conversationFor, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { openEventPlatform, satisfiedReviewer, until } from '../support/event-platform.ts';
import { ofType, proposalOf } from '../support/events.ts';
import { repairSum } from '../support/repairs.ts';
import { brokenSum } from '../support/repository.ts';

const done = turn(say('Add up\n\nIt subtracted.'));
const write = (path: string) => turn(call('write_file', { path, content: 'x\n' }));
const slowly = turn(call('run_command', { command: 'sleep 4' }));

const repositories = ['shop', 'till', 'site'].map((name) => ({
  ...{ name: `acme/${name}`, files: brokenSum },
  roles: { ada: 'admin', bob: 'write' } as const,
}));
const { fake, platform, operations } = await openEventPlatform({
  conversations: [
    satisfiedReviewer,
    conversationFor('case closed', repairSum, done, write('NOTES.md'), turn(say('Add a note'))),
    conversationFor('case renamed', repairSum, done),
    conversationFor('case suspended', slowly, repairSum, done),
  ],
  hasWebhooks: false,
  settings: { GITHUB_POLL_SECONDS: '1' },
  fake: { users: ['ada', 'bob'], organizations: ['acme', 'other'], repositories },
});
const [ada, bob] = [fake.as('ada'), fake.as('bob')];

async function request(repository: string, words: string) {
  const issue = ada.openIssue(repository, { title: 'The sum is wrong' });
  bob.comment(issue, `/fix ${words}`);
  return until('an operation', async () =>
    (await operations()).find(({ request: { description } }) => description.includes(words)),
  );
}

const inState = (id: string, state: string, revision = 1) =>
  until(`${id} is ${state}`, async () => {
    const operation = await platform.get(id);
    return operation.state === state && operation.revision === revision ? operation : undefined;
  });

test('a pull request that people close, reopen and push to stays the proposal; without its branch it ends', async () => {
  const { id } = await request('acme/shop', 'case closed');
  const { branch, headCommit, pullRequest } = proposalOf(await inState(id, 'awaiting_approval'));
  const pull = { repository: 'acme/shop', number: pullRequest.number };
  bob.closePullRequest(pull);
  await inState(id, 'rejected');
  await bob.reopenPullRequest(pull);
  await inState(id, 'awaiting_approval');

  const theirs = await bob.push('acme/shop', branch, { 'THEIRS.md': 'theirs\n' });
  await bob.review(pull, { event: 'REQUEST_CHANGES', body: 'Add a note, please' });
  const revised = proposalOf(await inState(id, 'awaiting_approval', 2));
  expect(revised.headCommit).not.toBe(headCommit);
  const events = await platform.follow(id, { times: 4 });
  expect(ofType(events, 'branch.followed')).toMatchObject([{ branch, commit: theirs }]);

  await bob.deleteBranch('acme/shop', branch);
  await inState(id, 'rejected', 2);
  const all = await platform.follow(id, { times: 5 });
  expect(ofType(all, 'operation.state').at(-1)?.message).toContain('its branch was deleted');
});

test('a renamed repository keeps its operations', async () => {
  const { id } = await request('acme/till', 'case renamed');
  const { number } = proposalOf(await inState(id, 'awaiting_approval')).pullRequest;
  ada.rename('acme/till', 'register');
  await until(
    'the new name',
    async () => (await platform.get(id)).repository === 'acme/register' || undefined,
  );
  await bob.merge({ repository: 'acme/register', number });
  await inState(id, 'merged');
});

test('work pauses while the App is suspended, and resumes after that', async () => {
  const { id } = await request('acme/site', 'case suspended');
  await inState(id, 'acting');
  const [installation] = fake.installations();
  if (!installation) throw new Error('the App is installed');
  fake.suspend(installation);
  expect((await inState(id, 'paused')).waitsFor).toContain('the App has no access');
  fake.unsuspend(installation);
  await inState(id, 'awaiting_approval');
  expect(platform.rehearsal.failures()).toEqual([]);
});
