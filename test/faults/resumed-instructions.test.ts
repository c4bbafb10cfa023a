/** A worker dies in the middle: the next one says to the model what was said before, to the byte. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { expect, onTestFinished, test } from 'vitest';
import { startPlatform } from '../support/platform.ts';
import { brokenSum, makeRepository } from '../support/repository.ts';

const mend = conversation('mend', [
  turn(call('test', {})),
  turn(call('edit_file', { path: 'sum.mjs', edits: [{ old: 'a - b', new: 'a + b' }] })),
  turn(call('test', {})),
  turn(say('Add instead of subtracting')),
]);

interface Body {
  system: unknown;
  messages: { content: unknown }[];
}

test.for(['answered:1', 'part-finished:2'])(
  'instructions and found commands stay those of the base commit: killed at %s',
  async (point) => {
    const settings = { FETTLE_LEASE_SECONDS: '3' };
    const platform = await startPlatform({ conversations: [mend], settings, workers: 0 });
    onTestFinished(() => platform.close());
    const { '.fettle/config.yml': _config, ...files } = brokenSum;
    const repository = makeRepository({
      ...files,
      'package.json': '{"scripts":{"test":"node --test"}}',
      'AGENTS.md': 'Write every sum with a plus.\n',
    });
    onTestFinished(() => repository.remove());
    const doomed = await platform.startWorker({ FETTLE_TEST_CRASH: point });
    const { id } = await platform.create({
      kind: 'fix',
      description: 'the sum is wrong',
      repository: repository.path,
    });
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

/** Without the marks for the cache, which move on. */
function textsOf(content: unknown): unknown {
  return Array.isArray(content) ? content.map(({ text }: { text?: unknown }) => text) : content;
}
