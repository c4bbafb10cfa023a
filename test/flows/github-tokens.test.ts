/** Tokens of GitHub expire while an operation runs, and are stored nowhere. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectRedis } from '@fettle/queue';
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { proposalOf } from '../support/events.ts';
import { openGithubPlatform } from '../support/github.ts';
import { repairSum } from '../support/repairs.ts';
import { brokenSum } from '../support/repository.ts';

const { fake, platform } = await openGithubPlatform({
  conversations: [
    conversation('slow repair', [
      turn(call('run_command', { command: 'sleep 2; env; git config --list; cat .git/config' })),
      repairSum,
      turn(say('Add up')),
    ]),
  ],
  files: brokenSum,
  settings: { FETTLE_LOG_LEVEL: 'debug' },
  github: { tokenLifetimeMs: 3_000 },
});

test('a token that expires during an operation is renewed', async () => {
  const { operation } = await platform.run({
    ...{ kind: 'fix', description: 'the sum is wrong', repository: 'acme/shop' },
  });
  expect(proposalOf(operation).pullRequest.number).toBe(1);
  const forGit = fake.tokens().filter(({ permissions }) => permissions.contents === 'write');
  expect(forGit.length).toBeGreaterThan(1);
});

test('no token and no key is in Redis, the database, events, logs, mirrors or sandboxes', async () => {
  const { app } = fake;
  const [, key = ''] = app?.privateKey.split('\n') ?? [];
  const expectNone = (text: string) => {
    expect(/ghs_[A-Za-z0-9]{30}/.exec(text)?.[0]).toBeUndefined();
    expect(text.includes(key) && key).toBe(false);
  };
  const redis = connectRedis(platform.redis.url);
  try {
    for (const name of await redis.keys('*'))
      expectNone(Buffer.from((await redis.dumpBuffer(name)) ?? '').toString('latin1'));
  } finally {
    redis.disconnect();
  }
  // The database, the Redis files, the mirrors with their git config, and what is left of sandboxes.
  const parts = new Set<string>();
  for (const [path, content] of readAll(platform.home)) {
    parts.add(path.slice(platform.home.length + 1).split('/')[0] ?? '');
    expectNone(content);
  }
  expect([...parts]).toEqual(expect.arrayContaining(['mirrors', 'postgres', 'redis']));
  expectNone(platform.api.log());
  expectNone(platform.worker.log());
  for (const path of ['/v1/operations', '/v1/github', '/v1/pull-requests'])
    expectNone(await (await platform.call('GET', path)).text());
  const { operations } = (await (await platform.call('GET', '/v1/operations')).json()) as {
    operations: { id: string }[];
  };
  for (const { id } of operations) expectNone(JSON.stringify(await platform.follow(id)));
});

function* readAll(folder: string): Generator<[string, string]> {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) yield [path, readFileSync(path, 'latin1')];
  }
}
