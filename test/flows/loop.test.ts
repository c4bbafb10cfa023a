/** The loop with real processes: a review that sends a change back, enforced budgets, a conversation that outgrows its window. */
import { type Conversation, call, conversation, conversationFor, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { ofType, proposalOf, toolParts } from '../support/events.ts';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import { brokenSum } from '../support/repository.ts';

const mend = call('edit_file', { path: 'sum.mjs', edits: [{ old: 'a - b', new: 'a + b' }] });
const finding = {
  severity: 'blocking',
  file: 'sum.mjs',
  line: 1,
  what: 'There is no word on why.',
  why: 'The next one will break it again.',
};
const shortening = 'is about to be shortened';

const reviewed = conversationFor(
  'reviewed',
  turn(mend),
  turn(say('Mended the sum')),
  {
    ...turn(call('edit_file', { path: 'sum.mjs', edits: [{ old: 'export', new: '// Adds.\nexport' }] })),
    expect: { lastText: { contains: ['sum.mjs:1: There is no word on why.'] } },
  },
  turn(say('Mended the sum, with a word on why')),
);

const reviewer: Conversation = {
  ...conversation(
    'reviewer',
    [
      turn(call('read_file', { path: 'sum.mjs' }), call('write_file', { path: 'x', content: 'x' })),
      turn(call('report_findings', { findings: [finding] })),
    ],
    { match: { pattern: '^Review this change[^]*reviewed' } },
  ),
  agent: 'reviewer',
};

/** Reads the same long file in many commands, whose output has to be kept or summarised. */
const long = conversation(
  'long',
  [
    ...Array.from({ length: 24 }, (_, index) =>
      turn(call('run_command', { command: `cat long.txt; echo step ${index}` })),
    ),
    turn(mend),
    turn(say('Mended the sum')),
  ],
  {
    match: 'long',
    asides: [{ match: shortening, turn: turn(say('## Goal\nMend the sum, long as it is.')) }],
  },
);

const endless = conversation(
  'endless',
  [turn(mend), turn(call('run_command', { command: 'node noise.mjs' }))],
  {
    match: 'endless',
    cycle: true,
  },
);

const cutOff = conversationFor('cut off', turn(say('The sum first, its test next.'), mend));

/** Two commands, never the same one twice, that undo each other. */
const toAndFro = conversation(
  'to and fro',
  Array.from({ length: 40 }, (_, index) => {
    const [from, to] = index % 2 === 0 ? ['-', '+'] : ['+', '-'];
    return turn(
      call('run_command', { command: `sed -i 's/a ${from} b/a ${to} b/' sum.mjs; echo try ${index}` }),
    );
  }),
  { match: 'to and fro' },
);

const platform = await openPlatform({
  conversations: [reviewer, reviewed, long, endless, cutOff, toAndFro],
  settings: { FETTLE_MODEL_CONTEXT_TOKENS: '30000', FETTLE_COMPACT_KEEP_TOKENS: '6000' },
});
const repository = openRepository({
  ...brokenSum,
  'long.txt': 'one line of a long file\n'.repeat(400),
  'noise.mjs': "import { randomBytes } from 'node:crypto';\nconsole.log(randomBytes(300).toString('hex'));\n",
});

const ask = (description: string, more = {}) =>
  platform.run({ kind: 'fix', description, repository: repository.path, ...more });

test('a review with blocking findings sends the change back once; later findings are in the proposal', async () => {
  const { operation, events } = await ask('reviewed', { review: true });
  expect(ofType(events, 'review.finished')).toMatchObject([
    { round: 1, sentBack: true, findings: [finding] },
    { round: 2, sentBack: false, findings: [finding] },
  ]);
  const { branch } = proposalOf(operation);
  expect(repository.git('show', `${branch}:sum.mjs`)).toContain('// Adds.');
  const pull = await platform.call('GET', `/v1/operations/${operation.id}`);
  expect(pull.status).toBe(200);
  expect(ofType(events, 'proposal.committed')[0]?.body).toContain(
    '- **blocking** `sum.mjs:1`: There is no word on why.',
  );
  // It can only read.
  const refused = toolParts(events).find(({ by, tool }) => by === 'reviewer' && tool === 'write_file');
  expect(refused).toMatchObject({ status: 'failed', output: expect.stringContaining('There is no tool') });
  expect(operation.totals.turns).toBe(8);
});

test('a conversation that outgrows the window is compacted and continues', async () => {
  const { operation, events } = await ask('long');
  expect(operation.outcome).toMatchObject({ kind: 'proposal', draft: false });
  const summed = ofType(events, 'conversation.compacted').filter(({ way }) => way === 'summary');
  expect(summed.length).toBeGreaterThanOrEqual(2);
  expect(summed[0]).toMatchObject({ summary: expect.stringContaining('Mend the sum, long as it is.') });
  expect(platform.rehearsal.failures()).toEqual([]);
});

test('a used-up budget ends with a draft that says so, after two warnings', async () => {
  const { operation, events } = await ask('endless', { budgets: { turns: 10 } });
  expect(operation.outcome).toMatchObject({ kind: 'proposal', draft: true, reason: 'budget_turns' });
  expect(operation.totals.turns).toBe(10);
  const told = ofType(events, 'turn.started').flatMap(({ turn: number, told: words, warned }) =>
    warned === undefined ? [] : [{ number, warned, words }],
  );
  expect(told).toMatchObject([
    {
      number: 7,
      warned: 70,
      words: expect.stringContaining('70 percent of the budget of turns is used; left: 3'),
    },
    { number: 9, warned: 90, words: expect.stringContaining('Finish now') },
  ]);
});

test('a draft of an agent that had to stop contains its last text', async () => {
  const { operation, events } = await ask('cut off', { budgets: { turns: 1 } });
  expect(operation.outcome).toMatchObject({ kind: 'proposal', draft: true, reason: 'budget_turns' });
  expect(ofType(events, 'proposal.committed')[0]?.body).toContain('> The sum first, its test next.');
});

test('commands that alternate a file between two states are detected', async () => {
  const { operation } = await ask('to and fro');
  expect(operation.outcome).toMatchObject({
    reason: 'loop',
    message: expect.stringContaining('sum.mjs alternates between the same two states'),
  });
});

test('a token budget is never exceeded', async () => {
  const { operation } = await ask('endless', { budgets: { tokens: 60_000 } });
  expect(operation.outcome).toMatchObject({ kind: 'proposal', draft: true, reason: 'budget_tokens' });
  expect(operation.totals.tokens).toBeLessThanOrEqual(60_000);
  expect(operation.totals.tokens).toBeGreaterThan(30_000);
});
