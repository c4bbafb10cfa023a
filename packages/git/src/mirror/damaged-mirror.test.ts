import { chmodSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { commitFiles, git, repositoryWith, temporaryFolder } from '../testing/repository.ts';
import { syncMirror } from './sync-mirror.ts';

function emptyObjects(gitDir: string): void {
  const objects = join(gitDir, 'objects');
  const names = readdirSync(objects, { recursive: true, encoding: 'utf8' });
  for (const name of names.filter((each) => /^..\/[0-9a-f]{38}$|\.pack$/.test(each))) {
    chmodSync(join(objects, name), 0o644);
    truncateSync(join(objects, name));
  }
}

const damages: [string, (mirror: string) => void][] = [
  ['an empty ref', (mirror) => writeFileSync(join(mirror, 'refs', 'heads', 'main'), '')],
  ['an empty HEAD', (mirror) => writeFileSync(join(mirror, 'HEAD'), '')],
  ['empty objects', emptyObjects],
];

test.each(damages)('a mirror with %s is recreated, and onRebuilt is called', async (_, damage) => {
  const source = repositoryWith({ a: 'a' });
  const mirror = join(temporaryFolder(), 'mirrors', 'mirror.git');
  const first = (await syncMirror({ mirror, source })).heads.get('main') ?? '';
  git(mirror, 'update-ref', 'refs/fettle/checkpoints/1', first);
  damage(mirror);
  const head = commitFiles(source, { a: 'b' });
  const onRebuilt = vi.fn();
  expect((await syncMirror({ mirror, source, onRebuilt })).heads.get('main')).toBe(head);
  expect(onRebuilt).toHaveBeenCalledTimes(1);
  expect(git(mirror, 'fsck', '--full')).toBe('');
  expect(readdirSync(dirname(mirror))).toEqual(['mirror.git']);
});

test('a damaged source does not change the mirror', async () => {
  const source = repositoryWith({ a: 'a' });
  const mirror = join(temporaryFolder(), 'mirrors', 'mirror.git');
  const first = (await syncMirror({ mirror, source })).heads.get('main') ?? '';
  commitFiles(source, { a: 'b' });
  emptyObjects(join(source, '.git'));
  await expect(syncMirror({ mirror, source })).rejects.toMatchObject({ name: 'GitError' });
  expect(git(mirror, 'cat-file', '-t', first)).toBe('commit');
  expect(readdirSync(dirname(mirror))).toEqual(['mirror.git']);
});
