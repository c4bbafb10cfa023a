/**
 * Data that waits in socket buffers is kernel memory: it belongs to no process, and no rlimit covers it. Without a cgroup,
 * the only visible signs are the number of sockets of a sandbox and the available memory of the whole machine.
 */
import { readIfThere } from '../proc/processes.ts';

const minBufferBytes = 212_992;

/** Returns a check, to be called periodically: whether the sandbox hides more than `memoryBytes` in its sockets. */
export function createSocketCheck(initPid: number, memoryBytes: number): () => boolean {
  let mostAvailable = 0;
  return () => {
    const available = availableMemory();
    mostAvailable = Math.max(mostAvailable, available);
    // Both must hold: a sandbox may have many nearly empty sockets, and other programs use memory too.
    return countSockets(initPid) * largestBuffer() > memoryBytes && mostAvailable - available > memoryBytes;
  };
}

/** The sockets of the sandbox's network namespace. */
function countSockets(initPid: number): number {
  return Number(/^sockets: used (\d+)/m.exec(readIfThere(`/proc/${initPid}/net/sockstat`) ?? '')?.[1] ?? 0);
}

/** A program may request this much; the kernel doubles it. */
function largestBuffer(): number {
  return 2 * Math.max(Number(readIfThere('/proc/sys/net/core/wmem_max')) || 0, minBufferBytes);
}

function availableMemory(): number {
  return Number(/^MemAvailable:\s+(\d+) kB/m.exec(readIfThere('/proc/meminfo') ?? '')?.[1] ?? 0) * 1024;
}
