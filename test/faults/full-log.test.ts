/** A log that cannot be written stops nobody: all services with /dev/full as their standard error. */
import { closeSync, openSync } from 'node:fs';
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { startPlatform } from '../support/platform.ts';
import { makeRepository } from '../support/repository.ts';

const quick = conversation('quick', [
  turn(call('write_file', { path: 'note.txt', content: 'one\n' })),
  turn(say('A note')),
]);

test('api and worker start, work and end', async () => {
  const full = openSync('/dev/full', 'w');
  const repository = makeRepository({ 'README.md': 'one\n' });
  const platform = await startPlatform({
    conversations: [quick],
    settings: { FETTLE_LOG_LEVEL: 'debug' },
    logTo: full,
  });
  try {
    const request = { kind: 'implement', description: 'quick', repository: repository.path } as const;
    const { operation } = await platform.run(request);
    expect(operation.outcome).toMatchObject({ kind: 'proposal', draft: false });
    expect(await platform.worker.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(await platform.api.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  } finally {
    await platform.close();
    repository.remove();
    closeSync(full);
  }
}, 60_000);
