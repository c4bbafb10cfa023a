import type { ReasonCode } from './outcome.ts';

/** Seconds before the next attempt, by the number of attempts lost in a row. The first retry starts at once. */
const pauses = [0, 1, 4, 15, 60];
/** For problems that take minutes to fix: a full disk, a missing program, an unreachable host. */
const longPauses = [5, 20, 60, 120];
const slowToFix: ReasonCode[] = [
  'disk_full',
  'repository_unreachable',
  'push_rejected',
  'scanner_unavailable',
];

export function pauseAfter(lostAttempts: number, reason: ReasonCode): number {
  const list = slowToFix.includes(reason) ? longPauses : pauses;
  return list[Math.min(lostAttempts, list.length) - 1] ?? 0;
}

export const longestPauseMs = Math.max(...pauses, ...longPauses) * 1000;

const waitingPauses = [5, 5, 10, 30, 60];

/**
 * The pause in milliseconds after attempts in a row that waited for a service that is away: the sandbox broker, or the forge,
 * which may say how long.
 */
export function waitingPause(waitedAttempts: number, afterMs = 0): number {
  const pause = waitingPauses[Math.min(waitedAttempts, waitingPauses.length) - 1] ?? 0;
  return Math.min(Math.max(afterMs, pause * 1000), longestPauseMs);
}
