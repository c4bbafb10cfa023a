import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { memoryOf } from '../proc/processes.ts';
import { syscallNumbers } from '../seccomp/numbers.ts';
import { countSharedMemory, sharedMemoryOfAll } from './shmem.ts';

const bytesPerMb = 1024 ** 2;
const numberOf = (name: string) => syscallNumbers[name]?.[process.arch === 'x64' ? 0 : 1];

/** Takes 64 MB that are shared with nobody, fills them, and lets go of all pages, or of all but the first. */
const program = (letGo: string) => `
  my $size = 64 << 20; open(my $zeros, "<", "/dev/zero");
  my $at = syscall(${numberOf('mmap')}, 0, $size, 3, 0x21, -1, 0);
  syscall(${numberOf('read')}, fileno($zeros), $at, $size) == $size or die "not filled";
  ${letGo}; $| = 1; print "held"; sleep 60;`;

test.skipIf(process.getuid?.() !== 0).each([
  ['let go of', `syscall(${numberOf('madvise')}, $at, $size, 4)`],
  ['unmapped but for a page', `syscall(${numberOf('munmap')}, $at + 4096, $size - 4096)`],
])('shared memory that is %s', async (_, letGo) => {
  const child = spawn('perl', ['-e', program(letGo)], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const processes = [{ pid: child.pid ?? 0 }];
  expect(memoryOf(processes)).toBeLessThan(32 * bytesPerMb);
  expect(await countSharedMemory([...processes, ...processes])).toBe(64 * bytesPerMb);
  expect(sharedMemoryOfAll()).toBeGreaterThanOrEqual(64 * bytesPerMb);
});
