/** A worker that dies after every part of reviews, summaries and concurrent reads. */
import { type Conversation, call, conversation, conversationFor, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { ofType, proposalOf } from '../support/events.ts';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import { brokenSum } from '../support/repository.ts';
import { expectProposal } from './support/expect-proposal.ts';

const mend = call('edit_file', { path: 'sum.mjs', edits: [{ old: 'a - b', new: 'a + b' }] });
const finding = { severity: 'blocking', file: 'sum.mjs', what: 'It says nothing.', why: 'Nobody will know.' };

const reviewed = conversationFor(
  'reviewed',
  turn(call('read_file', { path: 'sum.mjs' }), call('list_directory', { path: '.' }), call('git_log', {})),
  turn(mend),
  turn(say('Mended the sum')),
  turn(call('write_file', { path: 'why.md', content: 'It adds.\n' })),
  turn(say('Mended the sum, and said why')),
);
const reviewer: Conversation = {
  ...conversation(
    'reviewer',
    [turn(call('read_file', { path: 'sum.mjs' })), turn(call('report_findings', { findings: [finding] }))],
    { match: { pattern: '^Review this change' } },
  ),
  agent: 'reviewer',
};
const long = conversation(
  'long',
  [
    ...Array.from({ length: 10 }, (_, index) =>
      turn(call('run_command', { command: `cat long.txt; echo step ${index}` })),
    ),
    turn(mend),
    turn(say('Mended the sum')),
  ],
  {
    match: 'long',
    asides: [{ match: 'is about to be shortened', turn: turn(say('## Goal\nMend the sum.')) }],
  },
);

const circles = conversationFor(
  'circles',
  turn(mend),
  ...Array.from({ length: 20 }, () => turn(call('run_command', { command: 'echo the same' }))),
);

const platform = await openPlatform({
  conversations: [reviewer, reviewed, long, circles],
  settings: {
    FETTLE_LEASE_SECONDS: '2',
    FETTLE_MAX_ATTEMPTS: '50',
    FETTLE_MODEL_CONTEXT_TOKENS: '30000',
    FETTLE_COMPACT_KEEP_TOKENS: '6000',
  },
  workers: 0,
});
const repository = openRepository({ ...brokenSum, 'long.txt': 'one line of a long file\n'.repeat(400) });

/** Starts workers that die at these points, until one of them finishes. Returns how many died. */
async function workThrough(id: string, points: string): Promise<number> {
  const settled = platform.follow(id).then(() => 'settled' as const);
  for (let deaths = 0; ; deaths++) {
    const worker = await platform.startWorker({ FETTLE_TEST_CRASH: points });
    if ((await Promise.race([worker.exited, settled])) !== 'settled') continue;
    await worker.kill();
    return deaths;
  }
}

const request = (description: string, review: boolean) => ({
  ...{ kind: 'fix' as const, description, repository: repository.path, review },
});

test('a review and its findings, with a death after every part', async () => {
  const { id } = await platform.create(request('reviewed', true));
  expect(await workThrough(id, 'part-finished')).toBeGreaterThanOrEqual(7);
  const { events, operation } = await expectProposal(platform, repository, id);
  expect(ofType(events, 'review.finished')).toMatchObject([
    { round: 1, sentBack: true },
    { round: 2, sentBack: false },
  ]);
  expect(repository.git('ls-tree', '--name-only', proposalOf(operation).branch)).toContain('why.md');
});

test('a compacted conversation, with a death after every part', async () => {
  const { id } = await platform.create(request('long', false));
  expect(await workThrough(id, 'part-finished')).toBeGreaterThanOrEqual(11);
  const { events } = await expectProposal(platform, repository, id);
  expect(ofType(events, 'conversation.compacted').length).toBeGreaterThanOrEqual(1);
  expect(platform.rehearsal.failures()).toEqual([]);
});

test('an agent that repeats itself is stopped after the same number of turns, with a death after every part', async () => {
  const { id } = await platform.create(request('circles', false));
  expect(await workThrough(id, 'part-finished')).toBeGreaterThanOrEqual(7);
  const { outcome, totals } = await platform.get(id);
  expect(outcome).toMatchObject({ kind: 'proposal', draft: true, reason: 'loop' });
  // The change, three calls, two more after it was told, and two that were refused.
  expect(totals.turns).toBe(8);
});
