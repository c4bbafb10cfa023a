import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, conversation, say, startRehearsal, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { openFolder, openRepository } from '../../testing/open-folder.ts';
import { processesWith } from '../../testing/processes.ts';
import { runFettle, startFettle } from '../../testing/run-fettle.ts';

test('Ctrl-C hands over running operations, even if it ended the reader of the output first', async () => {
  const turns = [turn(call('run_command', { command: 'sleep 2' })), turn(say('Done.'))];
  const rehearsal = await startRehearsal({ conversations: [conversation('slow', turns)] });
  const settings = {
    ...{ FETTLE_HOME: openFolder(), FETTLE_PORT: '0', FETTLE_SANDBOX: 'process' },
    ANTHROPIC_BASE_URL: rehearsal.url,
  };
  const { child, finished } = startFettle(['up'], settings);
  // The output is not read to the end.
  finished.catch(() => {});
  const ended = once(child, 'exit');
  try {
    await new Promise<void>((resolve) => {
      child.stdout.on('data', (text) => String(text).includes('Fettle is up') && resolve());
    });
    await runFettle(['run', 'fix', 'it', '--repo', openRepository()], settings);
    while (rehearsal.requests().length === 0) await sleep(20);
    // As in `fettle up | tee log`, where Ctrl-C ends tee at once.
    child.stdout.destroy();
    child.kill('SIGINT');
    expect(await ended).toEqual([130, null]);
    const { stdout } = await runFettle(['operations', '--json'], settings);
    expect(JSON.parse(stdout).operations).toMatchObject([{ state: 'queued' }]);
    expect(processesWith(settings.FETTLE_HOME)).toEqual([]);
  } finally {
    child.kill('SIGKILL');
    await rehearsal.close();
  }
});
