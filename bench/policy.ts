/** The time to judge a command line, over the corpus, with all layers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandLayer, createPathJudge, judgeCommand, toOperandJudge } from '@fettle/policy';
import { median, percentile } from './statistics.ts';

const rounds = 20;

/** More rules than in practice. */
const layers: CommandLayer[] = (['operator', 'organization', 'repository'] as const).map((layer) => ({
  layer,
  rules: Array.from({ length: 100 }, (_, n) => ({
    program: ['git', 'npm', 'rm', 'node'][n % 4] ?? '',
    subcommand: `word${n}`,
    reason: 'no',
  })),
}));
const judgePath = toOperandJudge(
  createPathJudge({ protectedPaths: ['migrations/**', 'infra/**', '*.lock'] }),
);
const judge = (line: string) => judgeCommand(line, { layers, judgePath });

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
  for (const line of lines) judge(line);
  const samples = Array.from({ length: rounds }, () => lines).flatMap((round) =>
    round.map((line) => ({ line, ms: time(() => judge(line)) })),
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
