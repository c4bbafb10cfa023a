import type { ReasonCode } from './outcome.ts';

/** Seconds before the next attempt, by how many were lost in a row; the first comes at once. */
const pauses = [0, 1, 4, 15, 60];
/** Room on a disk, a program that is missing, or a host that answers again: whoever mends that takes minutes. */
const longPauses = [5, 20, 60, 120];
const mendedElsewhere: ReasonCode[] = [
  'disk_full',
  'repository_unreachable',
  'push_rejected',
  'scanner_unavailable',
];

export function pauseAfter(lostAttempts: number, reason: ReasonCode): number {
  const list = mendedElsewhere.includes(reason) ? longPauses : pauses;
  return list[Math.min(lostAttempts, list.length) - 1] ?? 0;
}

export const longestPauseMs = Math.max(...pauses, ...longPauses) * 1000;
