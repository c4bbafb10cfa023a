/** How long it takes to judge a command line, over the corpus. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { judgeCommand } from '@fettle/policy';
import { median, percentile } from './statistics.ts';

const rounds = 20;

export interface PolicyFigures {
  lines: number;
  medianMs: number;
  p99Ms: number;
  slowest: string;
}

export function measurePolicy(): PolicyFigures {
  const corpus = readFileSync(join(import.meta.dirname, '../test/corpora/commands.jsonl'), 'utf8');
  const lines = corpus
    .trim()
    .split('\n')
    .map((line): string => JSON.parse(line).input);
  for (const line of lines) judgeCommand(line);
  const samples = Array.from({ length: rounds }, () => lines).flatMap((round) =>
    round.map((line) => ({ line, ms: time(() => judgeCommand(line)) })),
  );
  const times = samples.map(({ ms }) => ms);
  const slowest = samples.reduce((worst, sample) => (sample.ms > worst.ms ? sample : worst));
  return {
    lines: lines.length,
    medianMs: median(times),
    p99Ms: percentile(times, 0.99),
    slowest: slowest.line,
  };
}

function time(run: () => unknown): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

if (import.meta.main) console.log(measurePolicy());
