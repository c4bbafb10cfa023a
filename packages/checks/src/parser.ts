import type { CheckFailure } from '@fettle/contract';

export interface Printed {
  lines: string[];
  exitCode: number | null;
}

export interface Reading {
  passed?: number;
  failed: number;
  skipped?: number;
  failures: CheckFailure[];
}

/** Parses the output of one tool. Returns undefined for other output. */
export interface Parser {
  tool: string;
  /** Whether the tool runs tests or reports problems in files. */
  finds: 'tests' | 'problems';
  /** Used only if no other parser found tests: one that knows no tool, but words that many programs print. */
  isFallback?: true;
  read(printed: Printed): Reading | undefined;
}

/** Parses `3 failed, 1 passed` into counts by word. */
export function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [, count, word = ''] of text.matchAll(/\b(\d{1,9}) ([a-z]+)/g))
    counts.set(word, (counts.get(word) ?? 0) + Number(count));
  return counts;
}
