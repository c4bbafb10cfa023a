/** The whole way on every sandbox that this machine has, and what happens where there is none. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { expect, onTestFinished, test } from 'vitest';
import { startPlatform } from './platform.ts';
import { brokenSum, makeRepository } from './repository.ts';
import { startService } from './service-process.ts';

const mend = conversation('mend', [
  turn(call('test', {})),
  turn(call('edit_file', { path: 'sum.mjs', edits: [{ old: 'a - b', new: 'a + b' }] })),
  turn(call('run_command', { command: 'id -u; cat /proc/1/environ | tr "\\0" "\\n"; ls /' })),
  turn(say('Add instead of subtracting')),
]);

const engine = process.env.FETTLE_TEST_ENGINE;
const hasBubblewrap = (process.env.PATH ?? '').split(':').some((folder) => existsSync(`${folder}/bwrap`));
const sandboxes = [
  { name: 'docker', missing: engine ? '' : 'FETTLE_TEST_ENGINE names no engine' },
  { name: 'bubblewrap', missing: hasBubblewrap ? '' : 'bwrap is not on the PATH' },
];

/** What the worker has to be told for this kind of sandbox. */
async function settingsFor(name: string): Promise<Record<string, string>> {
  if (name !== 'docker') return { FETTLE_SANDBOX: name };
  const folder = mkdtempSync(join(tmpdir(), 'fettle-broker-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const key = 'a-key-for-the-flow-tests-broker';
  const broker = await startService('services/sandbox-broker/src/main.ts', {
    ...{ PATH: process.env.PATH, DOCKER_HOST: engine, FETTLE_TEST_RUN: process.env.FETTLE_TEST_RUN },
    ...{
      FETTLE_BROKER_KEY: key,
      FETTLE_BROKER_SOCKET: join(folder, 'broker.sock'),
      FETTLE_LOG_LEVEL: 'warn',
    },
  });
  onTestFinished(() => broker.stop());
  return { FETTLE_SANDBOX: name, FETTLE_BROKER_URL: String(broker.ready.url), FETTLE_BROKER_KEY: key };
}

test.for(sandboxes)('a request becomes a pull request in $name', async ({ name, missing }, { skip }) => {
  skip(missing !== '', missing);
  const settings = await settingsFor(name);
  const platform = await startPlatform({ conversations: [mend], settings });
  onTestFinished(() => platform.close());
  const repository = makeRepository(brokenSum);
  onTestFinished(() => repository.remove());
  const { operation, events } = await platform.run({
    ...{ kind: 'fix', description: 'the sum is wrong', repository: repository.path },
  });
  expect(operation.outcome).toMatchObject({ kind: 'proposal', draft: false });
  expect(events).toContainEqual(expect.objectContaining({ type: 'workspace.ready', sandbox: name }));
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
