/** A 12-turn repair with a suite of 200 tests: what is sent to the model, and what a whole small operation costs beside its checks. */
import { spawnSync } from 'node:child_process';
import { type Conversation, call, conversation, say, turn } from '@fettle/rehearsal';
import { startPlatform } from '../test/support/platform.ts';
import { makeRepository } from '../test/support/repository.ts';
import { median } from './statistics.ts';

const cases = Array.from(
  { length: 200 },
  (_, n) => `test('case ${n} adds ${n} and 1', () => assert.equal(add(${n}, 1), ${n + 1}));`,
);
const heading =
  "import assert from 'node:assert/strict';\nimport test from 'node:test';\nimport { add } from './sum.mjs';\n";
const shown = `${heading}test('adds nothing', () => assert.equal(add(2, 0), 2));\ntest('adds below zero', () => assert.equal(add(-2, -3), -5));\n`;
const files = {
  'sum.mjs': 'export const add = (a, b) => a + (b < 0 ? -b : b);\n',
  'sum.test.mjs': `${heading}${cases.join('\n')}\n`,
  '.fettle/config.yml': 'commands:\n  test: node --test\n',
};

type Turns = Conversation['turns'];
type Call = ReturnType<typeof call>;
const read = (path: string) => turn(call('read_file', { path }));
const edit = (old: string, by: string) =>
  turn(call('edit_file', { path: 'sum.mjs', edits: [{ old, new: by }] }));

/** Twelve turns, five of which run the tests: a first look, one failure, and three times after an edit. */
const repair = (test: Call): Turns => [
  turn(test),
  read('sum.mjs'),
  turn(call('write_file', { path: 'negative.test.mjs', content: shown })),
  turn(test),
  turn(call('search_text', { pattern: 'add' })),
  edit('(b < 0 ? -b : b)', 'Number(b)'),
  turn(test),
  edit('Number(b)', '(b)'),
  turn(test),
  edit('(b)', 'b'),
  turn(test),
  turn(say('Add numbers below zero')),
];
const summarised = conversation('summarised', repair(call('test', {})), { match: 'summarised' });
const whole = conversation('whole', repair(call('run_command', { command: 'node --test' })), {
  match: 'whole',
});
const small = conversation(
  'small',
  [
    turn(call('write_file', { path: 'negative.test.mjs', content: shown })),
    edit('(b < 0 ? -b : b)', 'b'),
    turn(call('test', {})),
    turn(say('Add numbers below zero')),
  ],
  { match: 'small' },
);

export interface RepairFigures {
  /** Bytes sent over twelve turns. */
  sent: { summarised: number; whole: number };
  /** Milliseconds from the request to the proven proposal, and of the bare checks. */
  operationMs: number;
  checksMs: number;
}

export async function measureRepair(rounds = 3): Promise<RepairFigures> {
  const platform = await startPlatform({
    conversations: [summarised, whole, small],
    settings: { FETTLE_FAULT_EVIDENCE: 'on' },
  });
  const repository = makeRepository(files);
  const request = { kind: 'fix' as const, repository: repository.path };
  try {
    const send = async (description: string) => {
      const before = platform.rehearsal.requests().length;
      const { operation } = await platform.run({ ...request, description });
      if (operation.outcome?.kind !== 'proposal' || operation.outcome.proof !== 'proven')
        throw new Error(`${description}: ${JSON.stringify(operation.outcome)}`);
      return platform.rehearsal
        .requests()
        .slice(before)
        .reduce((sum, { bytes }) => sum + bytes, 0);
    };
    const sent = { summarised: await send('summarised'), whole: await send('whole') };
    const operations: number[] = [];
    const checks: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      operations.push(await timed(() => send('small')));
      checks.push(await timed(async () => spawnSync('node', ['--test'], { cwd: repository.path })));
    }
    return { sent, operationMs: median(operations), checksMs: median(checks) };
  } finally {
    await platform.close();
    repository.remove();
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
