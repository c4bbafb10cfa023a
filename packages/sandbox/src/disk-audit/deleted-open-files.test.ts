import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, mkdirSync, openSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { syscallNumbers } from '../seccomp/numbers.ts';
import { makeTemporaryFolder } from '../testing/test-sandbox.ts';
import { findDeletedOpenFiles } from './deleted-open-files.ts';

const mmap = syscallNumbers.mmap?.[process.arch === 'x64' ? 0 : 1];

async function startPerl(cwd: string, program: string): Promise<{ pid: number }> {
  const child = spawn('perl', ['-e', `${program}; $| = 1; print "ready"; sleep 60;`], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return { pid: child.pid ?? 0 };
}

test.skipIf(process.platform !== 'linux').each([
  ['open', 'opendir(our $held, "gone")'],
  ['a working directory', 'chdir "gone"'],
])('counts a deleted folder that is %s', async (_, hold) => {
  const folder = makeTemporaryFolder();
  mkdirSync(join(folder, 'gone'));
  const handle = openSync(join(folder, 'gone'), 'r');
  const { pid } = await startPerl(folder, hold);
  rmdirSync(join(folder, 'gone'));
  const bytes = fstatSync(handle).blocks * 512;
  closeSync(handle);
  expect(await findDeletedOpenFiles([{ pid }], statSync(folder).dev)).toEqual({ bytes, isIncomplete: false });
});

test.skipIf(process.platform !== 'linux')(
  'does not block the event loop for many mappings with long names',
  async () => {
    const folder = makeTemporaryFolder();
    // All map the same page, so that the kernel does not merge neighbours.
    const held = await startPerl(
      folder,
      `my $name = "n" x 250; for (1..14) { mkdir $name; chdir $name or die } open(my $file, "+>", "file"); print $file "x" x 4096; $file->flush;
     for (1..20000) { syscall(${mmap}, 0, 4096, 1, 1, fileno($file), 0) > 0 or die "$!" }`,
    );
    const longestWait = watchWaits();
    const start = performance.now();
    await findDeletedOpenFiles([held], statSync(folder).dev);
    const tookMs = performance.now() - start;
    await delay(20);
    expect(longestWait()).toBeLessThan(Math.max(tookMs / 3, 200));
  },
);

/** Measures the longest time for which the event loop was blocked. */
function watchWaits(): () => number {
  let [last, longest] = [performance.now(), 0];
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 5);
  onTestFinished(() => clearInterval(timer));
  return () => longest;
}
