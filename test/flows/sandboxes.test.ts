/** The whole way on every sandbox that this machine has, and what happens where there is none. */
import { existsSync } from 'node:fs';
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { expect, onTestFinished, test } from 'vitest';
import { startPlatform } from './platform.ts';
import { brokenSum, makeRepository } from './repository.ts';

const mend = conversation('mend', [
  turn(call('test', {})),
  turn(call('edit_file', { path: 'sum.mjs', edits: [{ old: 'a - b', new: 'a + b' }] })),
  turn(call('run_command', { command: 'id -u; cat /proc/1/environ | tr "\\0" "\\n"; ls /' })),
  turn(say('Add instead of subtracting')),
]);

const hasBubblewrap = (process.env.PATH ?? '').split(':').some((folder) => existsSync(`${folder}/bwrap`));

test.skipIf(!hasBubblewrap)('a request becomes a pull request in bubblewrap', async () => {
  const platform = await startPlatform({
    conversations: [mend],
    settings: { FETTLE_SANDBOX: 'bubblewrap' },
  });
  onTestFinished(() => platform.close());
  const repository = makeRepository(brokenSum);
  onTestFinished(() => repository.remove());
  const { operation, events } = await platform.run({
    ...{ kind: 'fix', description: 'the sum is wrong', repository: repository.path },
  });
  expect(operation.outcome).toMatchObject({ kind: 'proposal', draft: false });
  expect(events).toContainEqual(expect.objectContaining({ type: 'workspace.ready', sandbox: 'bubblewrap' }));
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'sandbox.used', memoryPeakBytes: expect.any(Number), attempt: 1 }),
  );
  // Nothing to warn of, and nothing of the worker's in sight.
  expect(events.filter((event) => event.type === 'notice')).toEqual([]);
  const [ran] = events.flatMap((event) =>
    event.type === 'part.finished' && event.part.kind === 'tool' && event.part.tool === 'run_command'
      ? [event.part.output]
      : [],
  );
  expect(ran).toMatch(/^1001\n/);
  expect(ran).not.toContain('a-key-for-the-flow-tests');
});

test('a worker without any sandbox ends with 4 and says what to do', async () => {
  const platform = await startPlatform({ conversations: [mend], workers: 0 });
  onTestFinished(() => platform.close());
  const starting = platform.startWorker({ FETTLE_SANDBOX: 'auto', PATH: '/nowhere' });
  await expect(starting).rejects.toThrow(/no sandbox to be had[\s\S]*bubblewrap[\s\S]*Install bubblewrap/);
});
