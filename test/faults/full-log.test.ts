/** Services work without a writable log: all of them with /dev/full as standard error. */
import { closeSync, openSync } from 'node:fs';
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { atEnd, openPlatform, openRepository } from '../support/lifetime.ts';

const quick = conversation('quick', [
  turn(call('write_file', { path: 'note.txt', content: 'one\n' })),
  turn(say('A note')),
]);

test('api and worker start, work and end', async () => {
  const full = openSync('/dev/full', 'w');
  atEnd(() => closeSync(full));
  const repository = openRepository({ 'README.md': 'one\n' });
  const platform = await openPlatform({
    conversations: [quick],
    settings: { FETTLE_LOG_LEVEL: 'debug' },
    logTo: full,
  });
  const { operation } = await platform.run(repository.request('implement', 'quick'));
  expect(operation.outcome).toMatchObject({ kind: 'proposal', reason: 'unproven' });
  expect(await platform.worker.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(await platform.api.kill('SIGTERM')).toEqual({ code: 0, signal: null });
}, 60_000);
