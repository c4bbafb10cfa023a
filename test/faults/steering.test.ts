/** Each message reaches the agent once, whichever process dies on the way. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from '@fettle/contract';
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { findMessageFaults } from '../support/delivered-messages.ts';
import { openFolder, openPlatform, openRepository, openWorker } from '../support/lifetime.ts';
import { repairSum } from '../support/repairs.ts';
import { brokenSum } from '../support/repository.ts';
import type { Environment } from '../support/service-process.ts';
import { findPaidTwice } from './support/check-operation.ts';
import { expectProposal } from './support/expect-proposal.ts';
import { expectKilled, until, untilActivity } from './support/observe.ts';

const wait = turn(call('run_command', { command: 'sleep 2' }));
const read = turn(call('read_file', { path: 'sum.mjs' }));
const done = turn(say('Mended the sum'));
// A message that comes late is heard at the end, and answered there.
const turns = [wait, read, repairSum, done, done, done];

const folder = openFolder('kill-steering');
const victim = join(folder, 'victim');
const platform = await openPlatform({
  conversations: [conversation('mend', turns)],
  settings: { FETTLE_LEASE_SECONDS: '2', FETTLE_CONCURRENCY: '1' },
  latencyMs: 300,
  workers: 0,
});
let api = platform.api;
const repository = openRepository(brokenSum);

const startWorker = (settings?: Environment) => openWorker(platform, settings);

const create = (description: string) => platform.create(repository.request('fix', description));

/** Like a person who gets no answer: repeats the request with the same key. */
async function tell(id: string, text: string): Promise<Message> {
  const headers = { 'idempotency-key': text.replaceAll(' ', '-') };
  return until(`${text} is taken`, async () => {
    const response = await platform
      .call('POST', `/v1/operations/${id}/messages`, { body: { text }, headers })
      .catch(() => undefined);
    if (response && response.status < 500) expect(await response.clone().text()).not.toContain('"error"');
    return response?.ok ? ((await response.json()) as Message) : undefined;
  });
}

/** Each message is in one turn and once in the last request to the model, and no answer was paid twice. */
async function expectDelivered(id: string, texts: string[]): Promise<void> {
  const { operation, events } = await expectProposal(platform, repository, id);
  const response = await platform.call('GET', `/v1/operations/${id}/messages`);
  const { messages } = (await response.json()) as { messages: Message[] };
  expect({ id, faults: findMessageFaults(events, messages) }).toEqual({ id, faults: [] });
  expect(messages.map(({ text }) => text)).toEqual(texts);
  expect(messages.filter(({ seenAt }) => seenAt === null)).toEqual([]);
  const { description } = operation.request;
  const requests = platform.rehearsal.requests();
  const last = requests.findLast(({ body }) => JSON.stringify(body).includes(`${description}\\n`));
  for (const text of texts) expect(JSON.stringify(last?.body).split(text)).toHaveLength(2);
  expect(findPaidTwice(requests, description, events)).toEqual([]);
  expect(platform.rehearsal.failures()).toEqual([]);
}

test.each(['messages-taken:1', 'turn-started:1', 'answered:1', 'answer-recorded:1'])(
  'a message while queued; the worker killed at %s',
  async (point) => {
    const { id } = await create(`queued ${point}`);
    await tell(id, `words before ${point}`);
    await expectKilled(await startWorker({ FETTLE_TEST_CRASH: point }));
    await startWorker();
    await expectDelivered(id, [`words before ${point}`]);
  },
);

test.each(['messages-taken:2', 'turn-started:2', 'answer-recorded:2'])(
  'messages while a command runs and while no worker runs; the worker killed at %s',
  async (point) => {
    const doomed = await startWorker({ FETTLE_TEST_CRASH: point });
    const { id } = await create(`running ${point}`);
    await untilActivity(platform, id, /run_command/);
    await tell(id, `first at ${point}`);
    await expectKilled(doomed);
    await tell(id, `second at ${point}`);
    await startWorker();
    await expectDelivered(id, [`first at ${point}`, `second at ${point}`]);
  },
);

test('the api killed after it stored a message and before it notified the worker', async () => {
  await api.kill();
  const doomed = await platform.startApi({ FETTLE_TEST_CRASH: 'message-stored' });
  await startWorker();
  const { id } = await create('an api that dies');
  await untilActivity(platform, id, /run_command/);
  const telling = tell(id, 'said to a dying api');
  await expectKilled(doomed);
  api = await platform.startApi();
  expect(await telling).toMatchObject({ number: 1 });
  await expectDelivered(id, ['said to a dying api']);
});

test('the api killed after the worker took a message, and after the message was in a turn', async () => {
  writeFileSync(victim, String(api.pid));
  const points = 'messages-taken,turn-started:2';
  await startWorker({ FETTLE_TEST_CRASH: points, FETTLE_TEST_VICTIM: victim });
  const { id } = await create('an api that dies twice');
  await untilActivity(platform, id, /run_command/);
  await tell(id, 'said before the api dies');
  for (const _time of [1, 2]) {
    await api.exited;
    api = await platform.startApi();
    writeFileSync(victim, String(api.pid));
  }
  // The worker may still wait for an api of which it knows.
  await sleep(100);
  await expectDelivered(id, ['said before the api dies']);
});
