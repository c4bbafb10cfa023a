import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { memoryOf } from '../proc/memory.ts';
import { syscallNumbers } from '../seccomp/numbers.ts';
import { countSharedMemory, totalSharedMemory } from './shmem.ts';

const bytesPerMb = 1024 ** 2;
const numberOf = (name: string) => syscallNumbers[name]?.[process.arch === 'x64' ? 0 : 1];

/** Maps 64 MB of shared memory, fills it, and releases all pages, or all but the first. */
const program = (release: string) => `
  my $size = 64 << 20; open(my $zeros, "<", "/dev/zero");
  my $at = syscall(${numberOf('mmap')}, 0, $size, 3, 0x21, -1, 0);
  syscall(${numberOf('read')}, fileno($zeros), $at, $size) == $size or die "not filled";
  ${release}; $| = 1; print "held"; sleep 60;`;

test.skipIf(process.getuid?.() !== 0).each([
  ['released with madvise', `syscall(${numberOf('madvise')}, $at, $size, 4)`],
  ['unmapped except for one page', `syscall(${numberOf('munmap')}, $at + 4096, $size - 4096)`],
])('counts shared memory that is %s', async (_, release) => {
  const child = spawn('perl', ['-e', program(release)], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const processes = [{ pid: child.pid ?? 0 }];
  expect(memoryOf(processes)).toBeLessThan(32 * bytesPerMb);
  expect(await countSharedMemory([...processes, ...processes])).toBe(64 * bytesPerMb);
  expect(totalSharedMemory()).toBeGreaterThanOrEqual(64 * bytesPerMb);
});
