/** The worker's own copy of a repository, locked or damaged by what was killed: the next operation gets through, and that is said. */
import { readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Platform, startPlatform } from '../flows/platform.ts';
import { makeRepository, type TestRepository } from '../flows/repository.ts';
import { until } from './observe.ts';
import { errandConversations, errandFiles } from './soak/errands.ts';

let platform: Platform;
let repository: TestRepository;
beforeAll(async () => {
  platform = await startPlatform({ conversations: errandConversations });
  repository = makeRepository(errandFiles);
});
afterAll(async () => {
  await platform?.close();
  repository?.remove();
});

const request = (description: string) => ({
  kind: 'fix' as const,
  description,
  repository: repository.path,
});

function mirror(): string {
  const folder = join(platform.home, 'mirrors');
  return join(folder, readdirSync(folder)[0] ?? '');
}

test('an empty ref: the mirror is made anew', async () => {
  await platform.run(request('mend for soak-1'));
  writeFileSync(join(mirror(), 'refs/heads/main'), '');
  const { operation } = await platform.run(request('mend for soak-2'));
  expect(operation).toMatchObject({ attempts: 1, outcome: { kind: 'proposal' } });
  expect(platform.worker.log()).toContain('a damaged mirror was made anew');
});

test('a lock that may be in use: the operation waits, and goes on when it is gone', async () => {
  repository.git('commit', '-q', '--allow-empty', '-m', 'more');
  const lock = join(mirror(), 'refs/heads/main.lock');
  writeFileSync(lock, '');
  // Of tomorrow, so that it never looks as if it was left behind.
  const tomorrow = Date.now() / 1000 + 86_400;
  utimesSync(lock, tomorrow, tomorrow);
  const { id } = await platform.create(request('mend for soak-3'));
  await until('a wait', () => platform.worker.log().includes('attempt has to wait'));
  rmSync(lock);
  await platform.follow(id);
  expect(await platform.get(id)).toMatchObject({ attempts: 2, outcome: { kind: 'proposal' } });
});
