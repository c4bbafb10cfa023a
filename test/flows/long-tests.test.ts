/** Tests that take long run once, in the fresh sandbox, and their failures still go back to the agent. */
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { ofType } from '../support/events.ts';
import { openPlatform, openRepository } from '../support/lifetime.ts';

const imports =
  "import assert from 'node:assert/strict';\nimport test from 'node:test';\nimport { add } from './sum.mjs';\n";
const files = {
  'sum.mjs': 'export const add = (a, b) => a + b;\n',
  'sum.test.mjs': `${imports}test('adds', () => assert.equal(add(2, 3), 5));\n`,
  'slow.test.mjs': `${imports}test('adds below zero', async () => {
  await new Promise((done) => setTimeout(done, 1_500));
  assert.equal(add(-2, -3), -5);
});\n`,
  '.fettle/config.yml': 'commands:\n  lint: node --check sum.mjs\n  test: node --test\n',
};
const write = (path: string, content: string) => turn(call('write_file', { path, content }));
const told = (what: string, sum: string) => ({
  ...write('sum.mjs', `export const add = (a, b) => ${sum};\n`),
  expect: { lastText: { contains: ['The change is not ready', what] } },
});

const first = conversation('first', [write('note.txt', 'one\n'), turn(say('Add a note'))], {
  match: 'please: first.',
});
const second = conversation(
  'second',
  [
    write('sum.mjs', 'export const add = (a, b) => a - b;\n'),
    turn(say('Subtract')),
    told('adds', 'Math.abs(a) + Math.abs(b)'),
    turn(say('Add without signs')),
    told('adds below zero', 'b + a'),
    turn(say('Add the other way round')),
  ],
  { match: 'please: second.' },
);

test('of tests that take long, the related ones run in each round, and all in the fresh sandbox', async () => {
  const platform = await openPlatform({
    conversations: [first, second],
    settings: { FETTLE_LONG_CHECK_SECONDS: '1' },
  });
  const repository = openRepository(files);
  const run = async (name: string) => {
    const { operation, events } = await platform.run(repository.request('implement', `please: ${name}.`));
    expect(operation.outcome).toMatchObject({ kind: 'proposal', proof: 'proven' });
    return ofType(events, 'check.finished').map(
      ({ phase, round, check }) => `${phase} ${round} ${check.name} ${check.status}`,
    );
  };
  expect(await run('first')).toEqual([
    ...['verify 1 lint passed', 'verify 1 test passed'],
    ...['fresh 1 lint passed', 'fresh 1 test passed', 'base 1 lint passed', 'base 1 test passed'],
  ]);
  expect(await run('second')).toEqual([
    // Only sum.test.mjs.
    ...['verify 1 lint passed', 'verify 1 test failed', 'base 1 lint passed', 'base 1 test passed'],
    ...['verify 2 lint passed', 'verify 2 test passed', 'fresh 2 lint passed', 'fresh 2 test failed'],
    // Remembered from the first operation.
    'base 2 test passed',
    ...['verify 3 lint passed', 'verify 3 test passed', 'fresh 3 lint passed', 'fresh 3 test passed'],
  ]);
  const [asked] = platform.rehearsal.requests().filter(({ body }) => JSON.stringify(body).includes('second'));
  expect(JSON.stringify(asked)).toMatch(/test: node --test \(usually \d+ s\)/);
});
