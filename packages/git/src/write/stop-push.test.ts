import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { mirrorWith } from '../testing/mirror.ts';
import { git, temporaryFolder } from '../testing/repository.ts';
import { pushCommit } from './push-commit.ts';

test('a push that is cancelled midway leaves no branch and no lock in the target', async () => {
  const { mirror, base } = await mirrorWith({ large: randomBytes(30_000_000) });
  const target = join(temporaryFolder(), 'target.git');
  git('/', 'init', '--quiet', '--bare', target);
  const objects = join(target, 'objects');
  const empty = readdirSync(objects);
  const halfWay = new AbortController();
  const push = { mirror, target, commit: base, branch: 'large' };
  const end = pushCommit({ ...push, signal: halfWay.signal }).then(
    () => 'pushed',
    ({ code }) => code,
  );
  while (readdirSync(objects).length === empty.length) await sleep(2);
  halfWay.abort();
  expect(await end).toBe('cancelled');
  expect(git(target, 'for-each-ref')).toBe('');
  const names = readdirSync(target, { recursive: true, encoding: 'utf8' });
  expect(names.filter((name) => name.endsWith('.lock'))).toEqual([]);
  expect(await pushCommit(push)).toBe('created');
});
