import { readFileSync } from 'node:fs';
import { listProcesses } from '../proc/processes.ts';

/** Counts processes with this text in their command line. */
export function countProcesses(text: string): number {
  return listProcesses().filter(({ pid }) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text);
    } catch {
      return false;
    }
  }).length;
}

/** A duration for `sleep` that no other process uses. */
export function uniqueSleep(): string {
  return `${1000 + Math.floor(Math.random() * 1_000_000)}.${Math.floor(Math.random() * 1_000_000)}`;
}
