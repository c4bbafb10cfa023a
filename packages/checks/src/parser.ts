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

/** Knows the output of one tool, and gives undefined for what is not its own. */
export interface Parser {
  tool: string;
  /** Whether it runs tests or looks at the text of files. */
  finds: 'tests' | 'problems';
  read(printed: Printed): Reading | undefined;
}

/** `3 failed, 1 passed` in numbers, by the words in it. */
export function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [, count, word = ''] of text.matchAll(/\b(\d{1,9}) ([a-z]+)/g))
    counts.set(word, (counts.get(word) ?? 0) + Number(count));
  return counts;
}
