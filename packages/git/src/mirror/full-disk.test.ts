import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { mirrorWith } from '../testing/mirror.ts';
import { someone, temporaryFolder } from '../testing/repository.ts';
import { openCheckpoints } from '../write/checkpoints.ts';
import { collectPacks } from './maintain.ts';

const ref = 'refs/fettle/checkpoints/op-1';

async function open(mirror: string, base: string) {
  const checkpoints = await openCheckpoints({ mirror, ref, base, identity: someone });
  const write = (content: string) =>
    checkpoints.write({
      changes: [{ kind: 'file', path: 'f', executable: false, bytes: Buffer.from(content) }],
      message: 'a checkpoint\n',
      dateSeconds: 1_700_000_000,
    });
  return { write, close: () => checkpoints.close() };
}

function tryMount(): string | undefined {
  const place = join(temporaryFolder(), 'small');
  mkdirSync(place);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', place], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  onTestFinished(() => void execFileSync('umount', ['--lazy', place]));
  return place;
}

test('a checkpoint on a full disk fails with disk_full, and the next one succeeds once there is space', async ({
  skip,
}) => {
  const place = tryMount();
  if (!place) return skip('no right to mount a small file system');
  const { mirror: elsewhere, base } = await mirrorWith({ a: 'a' });
  const mirror = join(place, 'mirror.git');
  cpSync(elsewhere, mirror, { recursive: true });
  const { write, close } = await open(mirror, base);
  await write('one');
  expect(() => writeFileSync(join(place, 'filler'), Buffer.alloc(3_000_000))).toThrow('ENOSPC');
  await expect(write('x'.repeat(1_000))).rejects.toMatchObject({
    code: 'disk_full',
    message: 'There is no space left on the disk of the worker.',
    detail: expect.stringContaining('Out of diskspace'),
  });
  rmSync(join(place, 'filler'));
  await write('two');
  expect(readdirSync(mirror).join()).toContain('fast_import_crash_');
  await collectPacks(mirror);
  expect(readdirSync(mirror).join()).not.toContain('fast_import_crash_');
  await close();
});

test('unfinished packs of killed processes are removed, and those of a running one are not', async () => {
  const { mirror, base } = await mirrorWith({ a: 'a' });
  const packs = join(mirror, 'objects', 'pack');
  const { write, close } = await open(mirror, base);
  await write('one');
  const live = readdirSync(packs).filter((name) => name.startsWith('tmp_pack_'));
  expect(live).toHaveLength(1);
  writeFileSync(join(packs, 'tmp_pack_dead'), Buffer.alloc(1_000));
  const twoHoursAgo = Date.now() / 1000 - 7_200;
  for (const name of [...live, 'tmp_pack_dead']) utimesSync(join(packs, name), twoHoursAgo, twoHoursAgo);
  writeFileSync(join(packs, 'tmp_pack_young'), Buffer.alloc(1_000));
  await collectPacks(mirror);
  const left = readdirSync(packs).filter((name) => name.startsWith('tmp_pack_'));
  expect(left.toSorted()).toEqual([...live, 'tmp_pack_young'].toSorted());
  await write('two');
  await close();
});
