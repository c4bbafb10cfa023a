/** A worker that is killed leaves nothing that looks as if it ran. */
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Platform, startPlatform } from './platform.ts';
import { readEventStream } from './read-event-stream.ts';
import { brokenSum, makeRepository, type TestRepository } from './repository.ts';

const slow = conversation('slow', [turn(call('run_command', { command: 'sleep 60' })), turn(say('Rested'))]);

let platform: Platform;
let repository: TestRepository;
beforeAll(async () => {
  platform = await startPlatform({ conversations: [slow], settings: { FETTLE_LEASE_SECONDS: '3' } });
  repository = makeRepository(brokenSum);
});
afterAll(async () => {
  await platform?.close();
  repository?.remove();
});

test('an operation whose worker was killed ends as failed with that reason, and its followers hear of it', async () => {
  const { id } = await platform.create({ kind: 'fix', description: 'slow', repository: repository.path });
  const response = await platform.call('GET', `/v1/operations/${id}/events`);
  const seen: string[] = [];
  for await (const event of readEventStream(response)) {
    if (event.type === 'turn.finished') process.kill(platform.worker.pid, 'SIGKILL');
    if (event.type === 'operation.settled')
      seen.push(event.state, event.outcome.kind === 'failure' ? event.outcome.reason : '');
  }
  expect(seen).toEqual(['failed', 'worker_lost']);
  const operation = await (await platform.call('GET', `/v1/operations/${id}`)).json();
  expect(operation).toMatchObject({
    state: 'failed',
    totals: { turns: 1, parts: 1 },
    outcome: { reason: 'worker_lost' },
  });
});
