/** An api that was suspended for longer than a lease takes no operation from a living worker. */
import { setTimeout as sleep } from 'node:timers/promises';
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import { findRecordFaults } from './support/check-operation.ts';
import { untilActivity } from './support/observe.ts';

const slow = conversation('slow', [turn(call('run_command', { command: 'sleep 14' })), turn(say('Rested'))]);

const platform = await openPlatform({ conversations: [slow], settings: { FETTLE_LEASE_SECONDS: '3' } });
const repository = openRepository({ 'README.md': 'one\n' });

test('an api that is frozen for twice a lease', async () => {
  const { id } = await platform.create(repository.request('fix', 'slow'));
  await untilActivity(platform, id, /run_command/);
  process.kill(platform.api.pid, 'SIGSTOP');
  await sleep(6_500);
  process.kill(platform.api.pid, 'SIGCONT');
  const events = await platform.follow(id);
  const operation = await platform.get(id);
  expect(operation).toMatchObject({ state: 'unchanged', attempts: 1 });
  expect(findRecordFaults(operation, events)).toEqual([]);
});
