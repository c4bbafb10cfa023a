/** An api that stood still for longer than a lease heard nobody: it takes no operation from a worker that lives. */
import { setTimeout as sleep } from 'node:timers/promises';
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Platform, startPlatform } from '../support/platform.ts';
import { makeRepository, type TestRepository } from '../support/repository.ts';
import { findRecordFaults } from './support/check-operation.ts';
import { untilActivity } from './support/observe.ts';

const slow = conversation('slow', [turn(call('run_command', { command: 'sleep 14' })), turn(say('Rested'))]);

let platform: Platform;
let repository: TestRepository;
beforeAll(async () => {
  platform = await startPlatform({ conversations: [slow], settings: { FETTLE_LEASE_SECONDS: '3' } });
  repository = makeRepository({ 'README.md': 'one\n' });
});
afterAll(async () => {
  await platform?.close();
  repository?.remove();
});

test('an api that is frozen for twice a lease', async () => {
  const { id } = await platform.create({ kind: 'fix', description: 'slow', repository: repository.path });
  await untilActivity(platform, id, /run_command/);
  process.kill(platform.api.pid, 'SIGSTOP');
  await sleep(6_500);
  process.kill(platform.api.pid, 'SIGCONT');
  const events = await platform.follow(id);
  const operation = await platform.get(id);
  expect(operation).toMatchObject({ state: 'unchanged', attempts: 1 });
  expect(findRecordFaults(operation, events)).toEqual([]);
});
