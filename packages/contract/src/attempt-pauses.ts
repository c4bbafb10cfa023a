/** Seconds before the next attempt, by how many were lost in a row; the first comes at once. */
const pauses = [0, 1, 4, 15, 60];

export function pauseAfter(lostAttempts: number): number {
  return pauses[Math.min(lostAttempts, pauses.length) - 1] ?? 0;
}

export const longestPauseMs = Math.max(...pauses) * 1000;
