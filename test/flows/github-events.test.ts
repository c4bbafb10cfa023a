/** From a comment on GitHub to a changed pull request, over real processes, real HTTP and real git. */
import { call, conversationFor, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { openEventPlatform, satisfiedReviewer, until } from '../support/event-platform.ts';
import { proposalOf } from '../support/events.ts';
import { repairSum } from '../support/repairs.ts';
import { brokenSum } from '../support/repository.ts';

const write = (path: string, content: string) => turn(call('write_file', { path, content }));

const { fake, platform, comments, operations } = await openEventPlatform({
  conversations: [
    satisfiedReviewer,
    conversationFor(
      'case whole',
      repairSum,
      turn(say('Add up\n\nIt subtracted.')),
      write('LICENSE', 'MIT\n'),
      turn(say('Add a license\n\nThe check asked for one.')),
      turn(call('edit_file', { path: 'sum.mjs', edits: [{ old: 'a + b', new: 'b + a' }] })),
      turn(say('Swap the summands\n\nAs requested.')),
    ),
  ],
  fake: {
    users: ['ada', 'bob', 'eve'],
    organizations: ['acme'],
    repositories: [{ name: 'acme/shop', files: brokenSum, roles: { ada: 'admin', bob: 'write' } }],
  },
});
const [ada, bob] = [fake.as('ada'), fake.as('bob')];

test('a comment becomes a pull request, a failed check is repaired, a review changes it, a merge ends it', async () => {
  const issue = ada.openIssue('acme/shop', { title: 'The sum is wrong', body: '2 + 3 is -1' });
  const comment = bob.comment(issue, '/fix case whole');

  const pull = await until('a pull request', () => {
    const found = [...fake.repository('acme/shop').issues.values()].find((each) => each.pull);
    return found && { repository: 'acme/shop', number: found.number };
  });
  const proposed = await until('the first proposal', async () =>
    (await operations()).find(({ state }) => state === 'awaiting_approval'),
  );
  const { id } = proposed;
  const first = proposalOf(proposed);
  expect(proposed).toMatchObject({ kind: 'fix', requestedBy: 'bob', repository: 'acme/shop' });
  expect(proposed.request.thread).toMatchObject([
    { author: 'ada', permitted: true, text: 'The sum is wrong\n\n2 + 3 is -1' },
  ]);
  await until('the result in the comment', () =>
    comments(issue).find(({ body }) => body.includes(`Pull request #${pull.number}`)),
  );
  await until('a reaction', () =>
    comments(issue).find((each) => each.id === comment.id && each.reactions[0]),
  );

  const check = { name: 'license', title: 'No license', log: 'Looking …\nLICENSE is missing\n' };
  await ada.completeCheck('acme/shop', { on: first.headCommit, conclusion: 'failure', ...check });
  const repaired = await until('a repair', async () => {
    const operation = await platform.get(id);
    return operation.state === 'awaiting_approval' && operation.revision === 2 ? operation : undefined;
  });
  const second = proposalOf(repaired);
  expect(second.headCommit).not.toBe(first.headCommit);

  await bob.review(pull, {
    event: 'REQUEST_CHANGES',
    comments: [{ path: 'sum.mjs', line: 1, body: 'The other way round, please' }],
  });
  const changed = await until('a change', async () => {
    const operation = await platform.get(id);
    return operation.state === 'awaiting_approval' && operation.revision === 3 ? operation : undefined;
  });
  const thread = await until('an answer in the thread', () => {
    const found = fake.repository('acme/shop').issues.get(pull.number)?.pull;
    return found && found.comments.length > 1 ? found : undefined;
  });
  expect(thread.comments[1]?.body).toContain(proposalOf(changed).headCommit);
  await until('a resolved thread', () => thread.resolvedThreads.size === 1 || undefined);

  await bob.merge(pull);
  await until('the end', async () => (await platform.get(id)).state === 'merged' || undefined);
  await until('the end in the comment', () => comments(issue).find(({ body }) => body.includes('(merged)')));
  expect(comments(issue).filter(({ login }) => login === 'fettle[bot]')).toHaveLength(1);
  expect(await operations()).toHaveLength(1);
  expect(platform.rehearsal.failures()).toEqual([]);
});
