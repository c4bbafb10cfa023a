/** The memory of processes, and how often the kernel had to kill one because there was none left. */
import { readIfThere } from './processes.ts';

interface Process {
  pid: number;
}

/** Memory without the pages of files and of program text. Pages that several processes share count several times. */
export function memoryOf(processes: Process[], kinds = ['RssAnon', 'RssShmem']): number {
  return sum(processes, (pid) => readKinds(`/proc/${pid}/status`, kinds) ?? 0);
}

/** Whether they use more together. Shared pages, as after a fork, are counted once where the kernel tells. */
export function useMoreThan(processes: Process[], limitBytes: number): boolean {
  if (memoryOf(processes) <= limitBytes) return false;
  // Slower, so only for those that may be over the limit.
  return sum(processes, (pid) => sharesOf(pid) ?? memoryOf([{ pid }])) > limitBytes;
}

function sharesOf(pid: number): number | undefined {
  return readKinds(`/proc/${pid}/smaps_rollup`, ['Pss_Anon', 'Pss_Shmem']);
}

function sum(processes: Process[], measure: (pid: number) => number): number {
  return processes.reduce((total, { pid }) => total + measure(pid), 0);
}

function readKinds(path: string, kinds: string[]): number | undefined {
  const found = [...(readIfThere(path) ?? '').matchAll(/^(\w+):\s+(\d+) kB/gm)];
  if (found.length === 0) return undefined;
  return found.reduce(
    (total, [, kind = '', kB]) => total + (kinds.includes(kind) ? Number(kB) * 1024 : 0),
    0,
  );
}

/** The files of a control group, of either version, that count processes that the kernel killed. */
const countFiles = ['memory.events', 'memory.oom_control'];

/** 0 where the kernel does not tell. */
export function countOomKills(folders: readonly string[]): number {
  const counts = folders.flatMap((folder) =>
    countFiles.map((name) => /^oom_kill (\d+)$/m.exec(readIfThere(`${folder}/${name}`) ?? '')?.[1] ?? 0),
  );
  return counts.reduce((total: number, count) => total + Number(count), 0);
}

/** Where a container sees its own control group. */
export const ownMemoryGroups = ['/sys/fs/cgroup', '/sys/fs/cgroup/memory'];
