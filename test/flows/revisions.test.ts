/** Changes that are requested to a proposal: one more commit on its branch, or the proposal stays as it was. */
import type { ErrorBody, Operation } from '@fettle/contract';
import { type Conversation, call, conversationFor, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { expectProposal } from '../faults/support/expect-proposal.ts';
import { untilState } from '../faults/support/observe.ts';
import { ofType, proposalOf, statesOf, userMessages } from '../support/events.ts';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import { repairSum } from '../support/repairs.ts';
import { brokenSum } from '../support/repository.ts';

const done = turn(say('Add up\n\nIt subtracted.'));
const write = (path: string, content: string) => turn(call('write_file', { path, content }));
const breakSum = turn(call('edit_file', { path: 'sum.mjs', edits: [{ old: 'a + b', new: 'a * b' }] }));
const noted = turn(say('Explain the sum\n\nAs Ada asked.'));

const conversations: Conversation[] = [
  conversationFor(
    'case twice',
    repairSum,
    done,
    write('NOTES.md', 'one\n'),
    noted,
    write('NOTES.md', 'two\n'),
    noted,
  ),
  conversationFor('case unneeded', repairSum, done, turn(say('It is right as it is.'))),
  conversationFor(
    'case worse',
    repairSum,
    done,
    ...Array.from({ length: 6 }, () => [breakSum, noted]).flat(),
  ),
  conversationFor('case others', repairSum, done, write('NOTES.md', 'mine\n'), noted),
  conversationFor(
    'case discarded',
    ...[repairSum, done, breakSum, noted],
    turn(say('It is right as it is.')),
  ),
  conversationFor('case keys', turn(call('run_command', { command: 'sleep 3' })), repairSum, done, noted),
  conversationFor('case slow', repairSum, done, turn(call('run_command', { command: 'sleep 20' })), noted),
];
const platform = await openPlatform({ conversations, settings: { FETTLE_MAX_REVISIONS: '3' } });
const repository = openRepository(brokenSum);

async function requestChanges(id: string, message: string, key?: string) {
  const response = await platform.call('POST', `/v1/operations/${id}/request-changes`, {
    body: { message },
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });
  return { status: response.status, body: (await response.json()) as Operation & ErrorBody };
}

/** Waits until the operation has settled for the given time. */
const untilSettled = (id: string, times: number) => expectProposal(platform, repository, id, { times });

const propose = async (description: string) => {
  const { operation } = await platform.run(repository.request('fix', description));
  return { id: operation.id, first: proposalOf(operation) };
};

test('each revision adds one commit to the same branch and pull request', async () => {
  const { id, first } = await propose('case twice');
  expect(await requestChanges(id, 'write a note', 'k1')).toMatchObject({
    status: 200,
    body: { state: 'queued', revision: 2 },
  });
  const second = await untilSettled(id, 2);
  expect(second.operation).toMatchObject({ revision: 2, state: 'awaiting_approval' });
  expect(await requestChanges(id, 'write a note', 'k1')).toMatchObject({ body: { revision: 2 } });
  expect(await requestChanges(id, 'another note')).toMatchObject({ status: 200 });
  const { operation, events } = await untilSettled(id, 3);
  const proposed = proposalOf(operation);
  expect(proposed).toMatchObject({
    ...{ branch: first.branch, draft: false, proof: 'proven' },
    pullRequest: { number: first.pullRequest.number, title: first.pullRequest.title },
  });
  const subjects = repository.git('log', '--format=%s', `main..${first.branch}`);
  expect(subjects.split('\n')).toEqual(['Explain the sum', 'Explain the sum', 'Add up']);
  expect(repository.git('show', `${first.branch}:NOTES.md`)).toBe('two');
  const told = userMessages(events);
  expect(told.filter((each) => each.includes('Your change was proposed as a pull request'))).toHaveLength(2);
  expect(told.find((each) => each.includes('write a note'))).toContain('admin, whose messages count');
  const response = await platform.call('GET', proposed.pullRequest.url);
  const pullRequest = (await response.json()) as { body: string; commits: { subject: string }[] };
  expect(pullRequest.body).toMatch(
    /It subtracted\.\n\n### Revision 2\nExplain the sum\n\nAs Ada asked\.\n\n### Revision 3\n/,
  );
  expect(pullRequest.commits.map(({ subject }) => subject)).toEqual([
    'Add up',
    'Explain the sum',
    'Explain the sum',
  ]);
  expect(await requestChanges(id, 'and one more')).toMatchObject({
    status: 409,
    body: { error: { message: expect.stringContaining('3 of 3 revisions') } },
  });
  expect(platform.rehearsal.failures()).toEqual([]);
});

test('a revision that changes nothing, or fails, leaves the proposal as it was', async () => {
  for (const [description, outcome] of [
    ['case unneeded', { kind: 'unchanged', message: 'It is right as it is.' }],
    ['case worse', { kind: 'failure', reason: 'verification_failed' }],
  ] as const) {
    const { operation } = await platform.run({
      ...repository.request('fix', description),
      budgets: { turns: 3 },
    });
    const first = proposalOf(operation);
    await requestChanges(operation.id, 'make it worse');
    const events = await platform.follow(operation.id, { times: 2 });
    const after = await platform.get(operation.id);
    expect(ofType(events, 'revision.ended')).toMatchObject([{ revision: 2, outcome }]);
    expect(after.state).toBe('awaiting_approval');
    expect(after.endedRevisions).toMatchObject([{ revision: 2, outcome }]);
    expect(proposalOf(after)).toEqual(first);
    expect(repository.git('rev-parse', first.branch)).toBe(first.headCommit);
  }
});

test('commits of others are kept, and a rewritten or deleted branch ends the revision', async () => {
  const { id, first } = await propose('case others');
  const { branch, headCommit } = first;
  const tree = repository.git('rev-parse', `${headCommit}^{tree}`);
  const theirs = repository.git('commit-tree', tree, '-p', headCommit, '-m', 'theirs');
  repository.git('update-ref', `refs/heads/${branch}`, theirs);
  await requestChanges(id, 'write a note');
  const { operation, events } = await untilSettled(id, 2);
  expect(ofType(events, 'branch.followed')).toMatchObject([{ branch, commit: theirs }]);
  const subjects = repository.git('log', '--format=%s', `main..${branch}`);
  expect(subjects.split('\n')).toEqual(['Explain the sum', 'theirs', 'Add up']);

  expect(ofType(events, 'branch.followed')).toMatchObject([{ byOthers: true }]);
  const second = proposalOf(operation);
  repository.git('update-ref', `refs/heads/${branch}`, headCommit);
  await requestChanges(id, 'again');
  const ended = ofType(await platform.follow(id, { times: 3 }), 'revision.ended');
  expect(ended.at(-1)).toMatchObject({
    outcome: { kind: 'failure', reason: 'branch_rewritten' },
  });
  expect(proposalOf(await platform.get(id))).toEqual(second);
});

test('the work of a failed revision is not part of the next one, and its message says so', async () => {
  const request = { ...repository.request('fix', 'case discarded'), budgets: { turns: 3 } };
  const { operation } = await platform.run(request);
  const { id } = operation;
  const first = proposalOf(operation);
  await requestChanges(id, 'make it worse');
  expect(ofType(await platform.follow(id, { times: 2 }), 'revision.ended')).toHaveLength(1);
  await requestChanges(id, 'never mind');
  const events = await platform.follow(id, { times: 3 });
  expect(ofType(events, 'revision.ended').at(-1)).toMatchObject({
    revision: 3,
    outcome: { kind: 'unchanged' },
  });
  expect(repository.git('rev-parse', first.branch)).toBe(first.headCommit);
  const started = userMessages(events).filter((each) => each.includes('The revision before this one ended'));
  expect(started).toHaveLength(1);
});

test('a key of a message does not count as a request for changes', async () => {
  const { id } = await platform.create(repository.request('fix', 'case keys'));
  const text = 'write a note';
  const headers = { 'idempotency-key': 'same' };
  const said = await platform.call('POST', `/v1/operations/${id}/messages`, { body: { text }, headers });
  expect(said.status).toBe(201);
  await platform.follow(id);
  expect(await requestChanges(id, text, 'same')).toMatchObject({ body: { revision: 2 } });
});

test('changes can be requested only while a proposal awaits approval; cancelling ends the operation', async () => {
  const { id } = await propose('case slow');
  await requestChanges(id, 'slowly');
  await untilState(platform, id, 'acting');
  expect(await requestChanges(id, 'more')).toMatchObject({ status: 409 });
  const response = await platform.call('POST', `/v1/operations/${id}/cancel`);
  expect(await response.json()).toMatchObject({ state: 'cancelled', outcome: { kind: 'proposal' } });
  expect(statesOf(await platform.follow(id, { times: 2 })).at(-1)).toBe('cancelled');
  expect(await requestChanges('op_nope', 'x')).toMatchObject({ status: 404 });
  expect(await requestChanges(id, ' ')).toMatchObject({ status: 400 });
});
