/** The loop over real processes: a review that gives a change back, budgets that bind, a conversation that outgrows its window. */
import type { Event } from '@fettle/contract';
import { type Conversation, call, conversation, say, turn } from '@fettle/rehearsal';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Platform, startPlatform } from '../support/platform.ts';
import { brokenSum, makeRepository, type TestRepository } from '../support/repository.ts';

const mend = call('edit_file', { path: 'sum.mjs', edits: [{ old: 'a - b', new: 'a + b' }] });
const finding = {
  severity: 'blocking',
  file: 'sum.mjs',
  line: 1,
  what: 'There is no word on why.',
  why: 'The next one will break it again.',
};
const shortening = 'is about to be shortened';

const reviewed = conversation(
  'reviewed',
  [
    turn(mend),
    turn(say('Mended the sum')),
    {
      ...turn(call('edit_file', { path: 'sum.mjs', edits: [{ old: 'export', new: '// Adds.\nexport' }] })),
      expect: { lastText: { contains: ['sum.mjs:1: There is no word on why.'] } },
    },
    turn(say('Mended the sum, with a word on why')),
  ],
  { match: 'reviewed' },
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

/** Reads the same long file in many commands, each of which has to stay or be summed up. */
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

const cutOff = conversation('cut off', [turn(say('The sum first, its test next.'), mend)], {
  match: 'cut off',
});

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

let platform: Platform;
let repository: TestRepository;
beforeAll(async () => {
  platform = await startPlatform({
    conversations: [reviewer, reviewed, long, endless, cutOff, toAndFro],
    settings: { FETTLE_MODEL_CONTEXT_TOKENS: '30000', FETTLE_COMPACT_KEEP_TOKENS: '6000' },
  });
  repository = makeRepository({
    ...brokenSum,
    'long.txt': 'one line of a long file\n'.repeat(400),
    'noise.mjs':
      "import { randomBytes } from 'node:crypto';\nconsole.log(randomBytes(300).toString('hex'));\n",
  });
});
afterAll(async () => {
  await platform?.close();
  repository?.remove();
});

const ask = (description: string, more = {}) =>
  platform.run({ kind: 'fix', description, repository: repository.path, ...more });
const ofType = <Type extends Event['type']>(events: Event[], type: Type) =>
  events.filter((event): event is Extract<Event, { type: Type }> => event.type === type);

test('a review that finds what must not stay gives it back once; the rest stands in the proposal', async () => {
  const { operation, events } = await ask('reviewed', { review: true });
  expect(ofType(events, 'review.finished')).toMatchObject([
    { round: 1, sentBack: true, findings: [finding] },
    { round: 2, sentBack: false, findings: [finding] },
  ]);
  if (operation.outcome?.kind !== 'proposal') throw new Error(JSON.stringify(operation.outcome));
  const { branch } = operation.outcome;
  expect(repository.git('show', `${branch}:sum.mjs`)).toContain('// Adds.');
  const pull = await platform.call('GET', `/v1/operations/${operation.id}`);
  expect(pull.status).toBe(200);
  const committed = ofType(events, 'proposal.committed')[0];
  expect(committed?.body).toContain('- **blocking** `sum.mjs:1`: There is no word on why.');
  // It can only read.
  const [refused] = ofType(events, 'part.finished').flatMap(({ part }) =>
    part.kind === 'tool' && part.by === 'reviewer' && part.tool === 'write_file' ? [part] : [],
  );
  expect(refused).toMatchObject({ status: 'failed', output: expect.stringContaining('There is no tool') });
  expect(operation.totals.turns).toBe(8);
});

test('a conversation that outgrows the window is summed up, and goes on', async () => {
  const { operation, events } = await ask('long');
  expect(operation.outcome).toMatchObject({ kind: 'proposal', draft: false });
  const summed = ofType(events, 'conversation.compacted').filter(({ way }) => way === 'summary');
  expect(summed.length).toBeGreaterThanOrEqual(2);
  expect(summed[0]).toMatchObject({ summary: expect.stringContaining('Mend the sum, long as it is.') });
  expect(platform.rehearsal.failures()).toEqual([]);
});

test('a budget that is used up ends with a draft that says so, after it was told twice', async () => {
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

test('a draft of an agent that had to stop says how far it believed to be', async () => {
  const { operation, events } = await ask('cut off', { budgets: { turns: 1 } });
  expect(operation.outcome).toMatchObject({ kind: 'proposal', draft: true, reason: 'budget_turns' });
  expect(ofType(events, 'proposal.committed')[0]?.body).toContain('> The sum first, its test next.');
});

test('commands that write a file to and fro are noticed by what stands in it', async () => {
  const { operation } = await ask('to and fro');
  expect(operation.outcome).toMatchObject({
    reason: 'loop',
    message: expect.stringContaining('sum.mjs alternates between the same two states'),
  });
});

test('a budget of tokens is never gone over', async () => {
  const { operation } = await ask('endless', { budgets: { tokens: 60_000 } });
  expect(operation.outcome).toMatchObject({ kind: 'proposal', draft: true, reason: 'budget_tokens' });
  expect(operation.totals.tokens).toBeLessThanOrEqual(60_000);
  expect(operation.totals.tokens).toBeGreaterThan(30_000);
});
