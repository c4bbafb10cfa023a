import { call, conversation, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { ofType, proposalOf, statesOf } from '../support/events.ts';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import { repairSum } from '../support/repairs.ts';
import { brokenSum } from '../support/repository.ts';

const mend = conversation('mend', [
  turn(say('I run the tests first.'), call('test', {})),
  turn(call('read_file', { path: 'sum.mjs' })),
  repairSum,
  turn(call('test', {})),
  turn(say('Add instead of subtracting\n\n`add` subtracted. The test passes now.')),
]);

const platform = await openPlatform({ conversations: [mend] });
const repository = openRepository(brokenSum);

test('a request becomes a pull request that mends the bug', async () => {
  const before = repository.git('rev-parse', 'main');
  const { operation, events } = await platform.run(repository.request('fix', 'PROJ-7: the sum is wrong'));

  expect(platform.rehearsal.failures()).toEqual([]);
  expect(operation).toMatchObject({
    state: 'awaiting_approval',
    attempts: 1,
    totals: { parts: 6, turns: 5 },
  });
  const outcome = proposalOf(operation);
  expect(outcome).toEqual({
    kind: 'proposal',
    draft: false,
    branch: 'agent/PROJ-7-the-sum-is-wrong',
    headCommit: expect.stringMatching(/^[0-9a-f]{40}$/),
    pullRequest: {
      number: 1,
      title: '✓ Add instead of subtracting',
      url: expect.stringMatching(/^\/v1\/pull-requests\/pr_/),
    },
    proof: 'proven',
    evidence: expect.objectContaining({
      passed: [expect.objectContaining({ name: 'test', tests: { passed: 1, failed: 0, skipped: 0 } })],
      couldNotRun: [],
      doubts: [],
    }),
  });

  // The repository: one new branch with one commit on the base; nothing else moved.
  expect(repository.git('rev-parse', 'main')).toBe(before);
  expect(repository.git('rev-parse', outcome.branch)).toBe(outcome.headCommit);
  expect(repository.git('rev-parse', `${outcome.branch}^`)).toBe(before);
  expect(repository.git('diff', '--numstat', 'main', outcome.branch)).toBe('1\t1\tsum.mjs');
  expect(repository.git('status', '--porcelain')).toBe('');
  expect(repository.git('log', '-1', '--format=%an|%B', outcome.branch)).toBe(
    `Fettle|Add instead of subtracting\n\n\`add\` subtracted. The test passes now.\n\nRequested-By: admin\nFettle-Operation: ${operation.id}\nCo-Authored-By: admin <admin@localhost>`,
  );

  // The record: positions without a gap, parts without a gap, red before green.
  expect(events.map(({ position }) => position)).toEqual(events.map((_event, index) => index + 1));
  const finished = ofType(events, 'part.finished').map(({ part }) => part);
  expect(finished.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
  const tests = finished.flatMap((part) =>
    part.kind === 'tool' && part.tool === 'test' ? [part.status] : [],
  );
  expect(tests).toEqual(['failed', 'ok']);
  const states = statesOf(events);
  expect(states).toEqual(['preparing', 'acting', 'verifying', 'proposing', 'awaiting_approval']);

  // The pull request itself.
  const response = await platform.call('GET', outcome.pullRequest.url);
  expect(await response.json()).toMatchObject({
    number: 1,
    state: 'open',
    branch: outcome.branch,
    baseBranch: 'main',
    baseCommit: before,
    headCommit: outcome.headCommit,
    stat: { files: 1, added: 1, deleted: 1 },
    diff: expect.stringContaining('+export const add = (a, b) => a + b;'),
    commits: [{ oid: outcome.headCommit, subject: 'Add instead of subtracting' }],
  });
});
