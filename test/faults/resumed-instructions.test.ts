/** A worker dies in the middle of an operation: the next one sends the same bytes to the model. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import { repairSum } from '../support/repairs.ts';
import { brokenSum } from '../support/repository.ts';

const mend = conversation('mend', [
  turn(call('test', {})),
  repairSum,
  turn(call('test', {})),
  turn(say('Add instead of subtracting')),
]);

interface Body {
  system: unknown;
  messages: { content: unknown }[];
}

test.for(['answered:1', 'part-finished:2'])(
  'instructions and discovered commands stay those of the base commit: killed at %s',
  async (point) => {
    const settings = { FETTLE_LEASE_SECONDS: '3' };
    const platform = await openPlatform({ conversations: [mend], settings, workers: 0 });
    const { '.fettle/config.yml': _config, ...files } = brokenSum;
    const repository = openRepository({
      ...files,
      'package.json': '{"scripts":{"test":"node --test"}}',
      'AGENTS.md': 'Write every sum with a plus.\n',
    });
    const doomed = await platform.startWorker({ FETTLE_TEST_CRASH: point });
    const { id } = await platform.create(repository.request('fix', 'the sum is wrong'));
    expect(await doomed.exited).toMatchObject({ signal: 'SIGKILL' });
    writeFileSync(join(repository.path, 'AGENTS.md'), 'Write every sum with a minus.\n');
    repository.git('commit', '-qam', 'another word');
    await platform.startWorker();

    const events = await platform.follow(id);
    expect((await platform.get(id)).outcome).toMatchObject({ kind: 'proposal', draft: false });
    const bodies = platform.rehearsal.requests().map(({ body }) => body as Body);
    expect(bodies.length).toBeGreaterThanOrEqual(4);
    const said = (body: Body) => JSON.stringify([body.system, textsOf(body.messages[0]?.content)]);
    expect(new Set(bodies.map(said)).size).toBe(1);
    expect(said(bodies[0] as Body)).toContain('Write every sum with a plus.');
    const found = events.filter((event) => event.type === 'notice' && event.code === 'found');
    expect(found).toHaveLength(1);
  },
);

/** Without the cache marks, which move. */
function textsOf(content: unknown): unknown {
  return Array.isArray(content) ? content.map(({ text }: { text?: unknown }) => text) : content;
}
