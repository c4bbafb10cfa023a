/** A whole operation in every sandbox that this machine has, and without any sandbox. */
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { ofType, toolParts } from '../support/events.ts';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import { repairSum } from '../support/repairs.ts';
import { brokenSum } from '../support/repository.ts';
import { sandboxes, settingsFor } from '../support/sandbox-settings.ts';

const mend = conversation('mend', [
  turn(call('test', {})),
  repairSum,
  turn(call('run_command', { command: 'id -u; cat /proc/1/environ | tr "\\0" "\\n"; ls /' })),
  turn(say('Add instead of subtracting')),
]);

test.for(sandboxes)('a request becomes a pull request in $name', async ({ name, missing }, { skip }) => {
  skip(missing !== '', missing);
  const settings = { ...(await settingsFor(name)), FETTLE_COMMANDS: 'contained' };
  const platform = await openPlatform({ conversations: [mend], settings });
  const repository = openRepository(brokenSum);
  const { operation, events } = await platform.run(repository.request('fix', 'the sum is wrong'));
  expect(operation.outcome).toMatchObject({ kind: 'proposal', draft: false });
  expect(events).toContainEqual(expect.objectContaining({ type: 'workspace.ready', sandbox: name }));
  // The one that the agent worked in, the one of the proof, and the one of the base that it is compared with.
  const used = ofType(events, 'sandbox.used').filter(({ soFar }) => !soFar);
  expect(used).toMatchObject(Array(3).fill({ memoryPeakBytes: expect.any(Number), attempt: 1 }));
  expect(new Set(used.map(({ sandboxId }) => sandboxId)).size).toBe(name === 'docker' ? 3 : 1);
  // Nothing to warn of, and nothing of the worker's in sight.
  expect(ofType(events, 'notice')).toEqual([]);
  const ran = toolParts(events, 'run_command')[0]?.output;
  expect(ran).toMatch(name === 'docker' ? /^6[01]\d{3}\n/ : /^1001\n/);
  expect(ran).not.toContain('a-key-for-the-flow-tests');
});

test.for(sandboxes)(
  'the usage of a lost sandbox is recorded in $name',
  async ({ name, missing }, { skip }) => {
    skip(missing !== '', missing);
    const settings = { ...(await settingsFor(name)), FETTLE_MAX_ATTEMPTS: '1', FETTLE_COMMANDS: 'contained' };
    // Usage is sampled, so it must be sampled once before the container is gone.
    const command = 'sleep 6; kill -9 $PPID; sleep 30';
    const deadly = conversation('deadly', [turn(call('run_command', { command }))]);
    const platform = await openPlatform({ conversations: [deadly], settings });
    const repository = openRepository(brokenSum);
    const { operation, events } = await platform.run(repository.request('fix', 'the sum is wrong'));
    expect(operation.outcome).toMatchObject({ kind: 'failure', reason: 'sandbox_lost' });
    expect(events.filter((event) => event.type === 'sandbox.used' && !event.soFar)).toMatchObject([
      { attempt: 1, memoryPeakBytes: expect.any(Number) },
    ]);
  },
);

test.for(sandboxes)(
  'the usage of a killed attempt and of a cancelled operation is recorded in $name',
  async ({ name, missing }, { skip }) => {
    skip(missing !== '', missing);
    const sandbox = await settingsFor(name);
    const settings = { ...sandbox, FETTLE_LEASE_SECONDS: '2', FETTLE_USAGE_SECONDS: '1' };
    const sleeper = turn(call('run_command', { command: 'sleep 600' }));
    const platform = await openPlatform({
      conversations: [conversation('sleeps', [sleeper, sleeper])],
      settings,
    });
    const repository = openRepository(brokenSum);
    const { id } = await platform.create(repository.request('fix', 'sleep'));
    const usedBy = async (attempt: number) => {
      for await (const event of platform.watch(id)) {
        if (event.type === 'sandbox.used' && event.soFar && event.attempt === attempt) return event;
      }
      return undefined;
    };
    expect(await usedBy(1)).toMatchObject({ memoryPeakBytes: expect.any(Number) });
    platform.worker.kill('SIGKILL');
    await platform.startWorker();
    expect(await usedBy(2)).toMatchObject({ memoryPeakBytes: expect.any(Number) });
    await platform.call('POST', `/v1/operations/${id}/cancel`);
    expect((await platform.follow(id)).at(-1)).toMatchObject({
      type: 'operation.settled',
      state: 'cancelled',
    });
  },
);

test('a worker without any sandbox exits with 4 and advice', async () => {
  const platform = await openPlatform({ conversations: [mend], workers: 0 });
  const starting = platform.startWorker({ FETTLE_SANDBOX: 'auto', PATH: '/nowhere' });
  await expect(starting).rejects.toThrow(/no sandbox is available[\s\S]*bubblewrap[\s\S]*Install bubblewrap/);
});
