/** Messages to a running operation: each reaches the agent once, in order, and is recorded. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ErrorBody, Event, Message } from '@fettle/contract';
import { type Conversation, call, conversation, conversationFor, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { expectProposal } from '../faults/support/expect-proposal.ts';
import { until, untilActivity, untilState } from '../faults/support/observe.ts';
import { type DeliveredMessage, findMessageFaults } from '../support/delivered-messages.ts';
import { ofType, statesOf } from '../support/events.ts';
import { openFolder, openPlatform, openRepository } from '../support/lifetime.ts';
import { repairSum } from '../support/repairs.ts';
import { brokenSum } from '../support/repository.ts';

const note = turn(call('write_file', { path: 'NOTES.md', content: 'as they said\n' }));
/** Ends when the test opens the gate of that name. */
const wait = (name: string) => turn(call('run_command', { command: `node wait.mjs ${name}` }));
const done = turn(say('Mended the sum'));
const toldBy = (...words: string[]): { lastText: { contains: string[] } } => ({
  lastText: {
    contains: words.map(
      (each) => `admin, whose messages count as much as the request itself, says:\n\n${each}`,
    ),
  },
});
const withNote = (...words: string[]) => ({ ...note, expect: toldBy(...words) });

const conversations: Conversation[] = [
  conversationFor('while a command', wait('command'), withNote('write a note'), repairSum, done),
  conversationFor('several', wait('several'), withNote('first\n\n', 'second\n\n', 'third'), repairSum, done),
  conversationFor('at the end', repairSum, done, withNote('one more thing'), done),
  conversationFor('verified', repairSum, done, withNote('while it was checked'), done),
  conversationFor('queued', { ...repairSum, expect: toldBy('before it began') }, done),
  conversationFor('how many', turn(say('It is 41.')), {
    ...turn(say('It is 42.')),
    expect: toldBy('count again'),
  }),
  conversation('mend', [repairSum, done]),
];

const gates = openFolder('fettle-gates');
const open = (name: string, how: 'once' | 'for good' = 'for good') => writeFileSync(join(gates, name), how);
const close = (name: string) => rmSync(join(gates, name), { force: true });
/** The answers to these descriptions are held back in the given turn. */
const heldTurns: Record<string, number> = { 'said at the end': 2, 'how many?': 1 };
const platform = await openPlatform({
  conversations,
  async beforeAnswer(body) {
    const { messages } = body as { messages: { role: string }[] };
    const text = JSON.stringify(messages);
    const turns = messages.filter(({ role }) => role === 'assistant').length + 1;
    const held = Object.keys(heldTurns).find((each) => text.includes(each) && heldTurns[each] === turns);
    if (held) await until(`the gate of ${held}`, () => existsSync(join(gates, held)));
  },
});
const waiting = `import { existsSync, readFileSync, rmSync } from 'node:fs';
const gate = '${gates}/' + process.argv[2];
while (!existsSync(gate)) await new Promise((done) => setTimeout(done, 20));
if (readFileSync(gate, 'utf8') === 'once') rmSync(gate);
`;
const repository = openRepository({ ...brokenSum, 'wait.mjs': waiting });
const checked = openRepository({
  ...{ ...brokenSum, 'wait.mjs': waiting },
  '.fettle/config.yml': 'commands:\n  test: node wait.mjs checked && node --test\n',
});

const create = (description: string, { path } = repository) =>
  platform.create({ kind: 'fix', description, repository: path });

async function tell(id: string, text: string, key?: string) {
  const response = await platform.call('POST', `/v1/operations/${id}/messages`, {
    body: { text },
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });
  return { status: response.status, body: (await response.json()) as Message & ErrorBody };
}

async function listMessages(id: string): Promise<Message[]> {
  const response = await platform.call('GET', `/v1/operations/${id}/messages`);
  return ((await response.json()) as { messages: Message[] }).messages;
}

/** Checks in which turn each message was, by the record and by the table. */
async function expectDelivered(id: string, events: Event[], delivered: DeliveredMessage[]): Promise<void> {
  const messages = await listMessages(id);
  expect(findMessageFaults(events, messages)).toEqual([]);
  expect(messages.map(({ text, seenInTurn }) => ({ text, turn: seenInTurn }))).toEqual(delivered);
  expect(platform.rehearsal.failures()).toEqual([]);
}

test('while a command runs: the agent sees it before the next turn', async () => {
  const { id } = await create('while a command runs');
  await untilActivity(platform, id, /run_command/);
  const { status, body } = await tell(id, 'write a note');
  expect({ status, body }).toEqual({
    status: 201,
    body: {
      ...{ number: 1, by: 'admin', text: 'write a note', saidAt: expect.any(String) },
      ...{ seenAt: null, seenInTurn: null },
    },
  });
  expect((await platform.get(id)).activity).toMatch(/run_command/);
  open('command');
  const { operation, events } = await expectProposal(platform, repository, id);
  await expectDelivered(id, events, [{ text: 'write a note', turn: 2 }]);
  const { branch } = operation.outcome as { branch: string };
  expect(repository.git('show', `${branch}:NOTES.md`)).toBe('as they said');
});

test('the reviewer sees messages and the whole request too', async () => {
  close('command');
  const featureContext = { requirements: ['negative numbers too'], acceptanceCriteria: ['the note says so'] };
  const { id } = await platform.create({
    ...{ kind: 'implement', description: 'while a command runs, reviewed', review: true },
    ...{ repository: repository.path, featureContext },
  });
  await untilActivity(platform, id, /run_command/);
  expect((await tell(id, 'write a note')).status).toBe(201);
  open('command');
  const { events } = await expectProposal(platform, repository, id);
  const asked = events.find((event) => event.type === 'turn.started' && event.by === 'reviewer');
  for (const words of ['- negative numbers too', '- the note says so', 'admin says:\nwrite a note'])
    expect(asked).toMatchObject({ told: expect.stringContaining(words) });
});

test('several messages keep their order, and the same key adds one message', async () => {
  const { id } = await create('several at once');
  await untilActivity(platform, id, /run_command/);
  expect((await tell(id, 'first', 'k1')).status).toBe(201);
  expect(await tell(id, 'first', 'k1')).toMatchObject({ status: 200, body: { number: 1 } });
  expect(await tell(id, 'other', 'k1')).toMatchObject({ status: 409 });
  for (const text of ['second', 'third']) expect((await tell(id, text)).status).toBe(201);
  open('several');
  const { events } = await expectProposal(platform, repository, id);
  const texts = ['first', 'second', 'third'];
  await expectDelivered(
    id,
    events,
    texts.map((text) => ({ text, turn: 2 })),
  );
  expect(ofType(events, 'message.said').map(({ message }) => message.text)).toEqual(texts);
});

test('while the model finishes: the agent sees it before the verification', async () => {
  const { id } = await create('said at the end');
  await untilActivity(platform, id, /waits for the model \(turn 2\)/);
  await tell(id, 'one more thing');
  open('said at the end');
  const { events } = await expectProposal(platform, repository, id);
  await expectDelivered(id, events, [{ text: 'one more thing', turn: 3 }]);
  const states = statesOf(events);
  expect(states).toEqual(['preparing', 'acting', 'verifying', 'proposing', 'awaiting_approval']);
});

test('during the verification: the agent continues, and the change is verified again', async () => {
  const { id } = await create('said while verified', checked);
  await untilState(platform, id, 'verifying');
  await tell(id, 'while it was checked');
  open('checked');
  const { events } = await expectProposal(platform, checked, id);
  await expectDelivered(id, events, [{ text: 'while it was checked', turn: 3 }]);
  const states = statesOf(events);
  expect(states.slice(1, 6)).toEqual(['acting', 'verifying', 'acting', 'verifying', 'proposing']);
});

test('before a worker claims the operation: part of the first turn', async () => {
  await platform.worker.stop();
  const { id } = await create('still queued');
  expect((await tell(id, 'before it began')).status).toBe(201);
  await platform.startWorker();
  const { events } = await expectProposal(platform, repository, id);
  await expectDelivered(id, events, [{ text: 'before it began', turn: 1 }]);
});

test('a question is answered after all messages were delivered', async () => {
  const { id } = await platform.create(repository.request('ask', 'how many?'));
  await untilActivity(platform, id, /waits for the model \(turn 1\)/);
  await tell(id, 'count again');
  open('how many?');
  const events = await platform.follow(id);
  expect((await platform.get(id)).outcome).toEqual({ kind: 'answer', answer: 'It is 42.' });
  await expectDelivered(id, events, [{ text: 'count again', turn: 2 }]);
});

test('ended and unknown operations, empty and oversized messages are rejected', async () => {
  const { operation } = await platform.run(repository.request('fix', 'mend it'));
  expect(await tell(operation.id, 'too late')).toEqual({
    status: 409,
    body: {
      error: {
        code: 'conflict',
        message: `Operation ${operation.id} accepts no more messages: it is awaiting approval.`,
        advice: expect.any(String),
      },
    },
  });
  await platform.call('POST', `/v1/operations/${operation.id}/cancel`);
  expect(await tell(operation.id, 'far too late')).toMatchObject({ status: 409 });
  expect(await tell('op_nope', 'hello')).toMatchObject({ status: 404 });
  for (const text of ['', '   ', 'x'.repeat(10_001)])
    expect(await tell(operation.id, text)).toMatchObject({ status: 400, body: { error: { field: 'text' } } });
  expect(await listMessages(operation.id)).toEqual([]);
});

test('while the change is proposed, messages are rejected with a reason', async () => {
  const { id } = await create('proposed slowly', checked);
  close('checked');
  await untilState(platform, id, 'verifying');
  open('checked', 'once');
  // The fresh check waits for the gate again.
  await untilState(platform, id, 'proposing');
  const refused = await tell(id, 'too late');
  open('checked');
  expect(refused).toMatchObject({
    status: 409,
    body: { error: { message: expect.stringContaining('it is proposing') } },
  });
  await expectProposal(platform, checked, id);
});
