// What waits in sockets for somebody to read it is memory of the kernel: no process has it and no rlimit knows it. Where no
// control group counts it, all that can be seen is how many sockets a sandbox has and what the whole machine has lost.
import { readIfThere } from '../proc/processes.ts';

const minBufferBytes = 212_992;

/** Gives a look, to be taken again and again: whether the sandbox hides more than that in its sockets. */
export function createSocketLook(head: number, memoryBytes: number): () => boolean {
  let mostAvailable = 0;
  return () => {
    const available = availableMemory();
    mostAvailable = Math.max(mostAvailable, available);
    // Either alone is innocent: many sockets that hold little, and memory that others take.
    return countSockets(head) * largestBuffer() > memoryBytes && mostAvailable - available > memoryBytes;
  };
}

/** Of its network, which is its own. */
function countSockets(head: number): number {
  return Number(/^sockets: used (\d+)/m.exec(readIfThere(`/proc/${head}/net/sockstat`) ?? '')?.[1] ?? 0);
}

/** A program may ask for this much; the kernel doubles it. */
function largestBuffer(): number {
  return 2 * Math.max(Number(readIfThere('/proc/sys/net/core/wmem_max')) || 0, minBufferBytes);
}

function availableMemory(): number {
  return Number(/^MemAvailable:\s+(\d+) kB/m.exec(readIfThere('/proc/meminfo') ?? '')?.[1] ?? 0) * 1024;
}
