/** The time to detect repetition after a turn, with a given number of earlier parts. */
import { createRepetitionWatch, type ObservedTurn, toolsFor } from '@fettle/agent';
import { median } from './statistics.ts';

const output = Array.from(
  { length: 40 },
  (_, line) => `  ✓ src/part-${line}.test.ts > does what it should (${line} ms)`,
).join('\n');

/** The turns of a working agent: it reads, edits and runs the tests. */
function makeTurn(number: number): ObservedTurn {
  const path = `src/part-${number}.ts`;
  const texts = [`Part ${number} is next; I look at what it does before I change it.`];
  if (number % 3 === 0) {
    const input = { path, edits: [{ old: `value = ${number}`, new: `value = ${number + 1}`, all: false }] };
    const changed = [{ path, change: 'written' as const }];
    const call = { tool: 'edit_file', effect: 'writes' as const, input, changed };
    return { texts, calls: [{ ...call, output: `Changed ${path} in 1 place.`, status: 'ok' }] };
  }
  const [tool, effect, input] =
    number % 3 === 1 ? (['read_file', 'reads', { path }] as const) : (['test', 'runs', {}] as const);
  const result = { output: `${output}\n${number} of 600 done`, status: 'ok' as const, changed: [] };
  return { texts, calls: [{ tool, effect, input, ...result }] };
}

/** Microseconds per turn, p50, around the given number of parts. */
export function measureLoopWatch(parts: number): number {
  const rounds = Array.from({ length: 40 }, () => {
    const watch = createRepetitionWatch({ tools: toolsFor('fix') });
    const before = Math.max(0, parts / 2 - 5);
    for (let number = 1; number <= before; number++) watch.observe(makeTurn(number));
    const turns = Array.from({ length: 10 }, (_, index) => makeTurn(before + index + 1));
    return turns.map((turn) => {
      const startedAt = performance.now();
      if (watch.observe(turn)) throw new Error('normal work was reported as repetition');
      return (performance.now() - startedAt) * 1000;
    });
  });
  return median(rounds.slice(10).flat());
}
