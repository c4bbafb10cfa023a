/** The time to judge paths and contents, for every file that leaves a sandbox. */
import { createPathJudge, judgeContent } from '@fettle/policy';
import { median, percentile } from './statistics.ts';

/** Microseconds per path, p99, over new paths. */
export function measurePaths(): number {
  const judge = createPathJudge({ protectedPaths: ['migrations/**', '*.lock'] });
  const ask = (round: number) =>
    Array.from({ length: 5_000 }, (_, index) => {
      const startedAt = performance.now();
      judge(`packages/part-${index % 50}/src/${round}/file-${index}.test.ts`, 'write');
      return (performance.now() - startedAt) * 1000;
    });
  ask(0);
  return percentile(ask(1), 0.99);
}

/** Milliseconds for a new file of this size. */
export function measureContent(bytes: number): number {
  const line = 'export const total = (items: Item[]) => items.reduce((sum, { price }) => sum + price, 0);\n';
  const after = Buffer.from(line.repeat(Math.ceil(bytes / line.length)));
  const rounds = Array.from({ length: 9 }, () => {
    const startedAt = performance.now();
    judgeContent({ path: 'src/total.ts', after }, { maxBytes: 100_000_000 });
    return performance.now() - startedAt;
  });
  return median(rounds.slice(2));
}
