import { describe, expect, test } from 'vitest';
import type { ObservedTurn } from './observed-turn.ts';
import { recordedRepetitions } from './testing/repetitions.ts';
import {
  call,
  edit,
  failed,
  read,
  run,
  test as runTests,
  saying,
  times,
  tools,
  turn,
} from './testing/turns.ts';
import { createRepetitionWatch } from './watch.ts';

const advice = 'The result will be the same again: use it, or find out something else.';
const sameTests = turn(runTests('1 failed'));

function watchOf(turns: ObservedTurn[], options = { threshold: 3, tools }) {
  const watch = createRepetitionWatch(options);
  const verdicts = turns.map((observed) => watch.observe(observed));
  return { watch, verdicts, steps: verdicts.map((verdict) => verdict?.step ?? '') };
}

test('escalates: first a message, then a withheld tool, then the end', () => {
  const { watch, verdicts } = watchOf(times(8, () => sameTests));
  expect(verdicts).toEqual([
    undefined,
    undefined,
    {
      step: 'nudge',
      message: `test was called 3 times with the same result, and nothing changed in between. ${advice}`,
    },
    undefined,
    {
      step: 'withhold',
      tools: ['test'],
      turns: 3,
      message: `test was called 2 times with the same result, and nothing changed in between, after a warning. test is withheld for 3 turns. ${advice} If this continues, the work ends here.`,
    },
    undefined,
    {
      step: 'end',
      reason: 'loop',
      message:
        'test was called 7 times with the same result, and nothing changed in between, although the agent had been warned',
    },
    verdicts[6],
  ]);
  expect([5, 6, 7, 8, 9].map((number) => [...watch.withheld(number)])).toEqual([
    ['test'],
    ['test'],
    ['test'],
    ['test'],
    [],
  ]);
});

test('a failure that differs only in a number is not progress, and escalates to the end', () => {
  const { steps } = watchOf(times(14, (i) => turn(runTests(`worker ${i}: 1 failed`))));
  expect(steps.filter(Boolean)).toEqual(['nudge', 'withhold', 'end']);
});

test('every kind of repetition that continues escalates to the end', () => {
  for (const { name, turns } of recordedRepetitions) {
    const { steps } = watchOf(times(12, () => turns).flat());
    expect([name, steps.filter(Boolean)[0], steps.at(-1)]).toEqual([name, 'nudge', 'end']);
  }
});

test('calling a withheld tool again continues the repetition', () => {
  for (const status of ['denied', 'failed'] as const) {
    const refused = turn(call('test', {}, 'test is withheld.', { status }));
    const { steps } = watchOf([...times(5, () => sameTests), refused, refused]);
    expect(steps).toEqual(['', '', 'nudge', '', 'withhold', '', 'end']);
  }
});

test('withholding follows the numbers of the turns', () => {
  const { watch } = watchOf(times(5, (index) => ({ ...sameTests, turn: index + 41 })));
  expect([45, 48, 49].map((number) => watch.withheld(number).size)).toEqual([1, 1, 0]);
});

describe('progress', () => {
  const change = (step: number) => turn(edit('src/a.ts', `state ${step}`, `state ${step + 1}`));

  test('through a new state of a file resets the escalation', () => {
    const { steps } = watchOf([...times(3, () => sameTests), change(1), ...times(3, () => sameTests)]);
    expect(steps).toEqual(['', '', 'nudge', '', '', '', 'nudge']);
  });

  test('through a new result of a check resets the escalation', () => {
    const passed = turn(runTests('0 failed', { status: 'ok' }));
    const { steps } = watchOf([...times(3, () => sameTests), passed, ...times(3, () => sameTests)]);
    expect(steps).toEqual(['', '', 'nudge', '', '', '', 'nudge']);
  });

  test('de-escalates one step at a time', () => {
    const looped = times(5, () => sameTests);
    expect(watchOf([...looped, change(1), ...times(2, () => sameTests)]).steps.at(-1)).toBe('withhold');
    expect(watchOf([...looped, change(1), change(2), ...times(3, () => sameTests)]).steps.at(-1)).toBe(
      'nudge',
    );
  });

  test('is neither an earlier state of a file nor reading a new file', () => {
    const back = turn(edit('src/a.ts', 'state 2', 'state 1'));
    const { steps } = watchOf([
      change(1),
      ...times(3, () => sameTests),
      back,
      turn(read('src/new.ts')),
      ...times(2, () => sameTests),
    ]);
    expect(steps.filter(Boolean)).toEqual(['nudge', 'withhold']);
  });
});

describe('another repetition', () => {
  test('starts with a message, but only as often as the threshold', () => {
    const loops = times(4, (index) => times(3, () => turn(read(`src/${index}.ts`)))).flat();
    expect(watchOf(loops).steps.filter(Boolean)).toEqual(['nudge', 'nudge', 'nudge', 'withhold']);
  });

  test('needs as many repetitions as the first one', () => {
    const { steps } = watchOf([...times(3, () => sameTests), ...times(2, () => turn(read('src/a.ts')))]);
    expect(steps).toEqual(['', '', 'nudge', '', '']);
  });
});

describe('withholding', () => {
  const readers = tools.filter(({ effect }) => effect === 'reads');

  test('always leaves a tool that reads', () => {
    const reading = times(5, () => turn(...readers.map(({ name }) => call(name, {}, 'the same'))));
    for (const verdict of watchOf(reading).verdicts)
      if (verdict?.step === 'withhold') expect(verdict.tools.length).toBeLessThan(readers.length);

    const only = { threshold: 3, tools: [{ name: 'read_file', effect: 'reads' as const }] };
    const { verdicts, steps, watch } = watchOf(
      times(7, () => turn(read('a.ts'))),
      only,
    );
    expect(steps).toEqual(['', '', 'nudge', '', 'nudge', '', 'end']);
    expect(verdicts[4]?.message).toMatch(/after a warning.*If this continues, the work ends here\.$/);
    expect(watch.withheld(6)).toEqual(new Set());
  });

  test('withholds nothing if only text repeats', () => {
    const { steps } = watchOf(times(7, () => saying('I am going to change the handler.')));
    expect(steps).toEqual(['', '', 'nudge', '', 'nudge', '', 'end']);
  });
});

test('a replay of the record leads to the same verdicts', () => {
  const turns = times(3, () => recordedRepetitions.flatMap((loop) => loop.turns)).flat();
  const onRecord = JSON.parse(JSON.stringify(turns)) as ObservedTurn[];
  for (const cut of [1, 7, 20, 55, turns.length]) {
    const live = watchOf(turns.slice(0, cut));
    const replayed = watchOf(onRecord.slice(0, cut));
    expect(replayed.verdicts).toEqual(live.verdicts);
    expect(replayed.watch.withheld(cut + 1)).toEqual(live.watch.withheld(cut + 1));
    const rest = turns.slice(cut);
    expect(rest.map((observed) => replayed.watch.observe(observed))).toEqual(
      rest.map((observed) => live.watch.observe(observed)),
    );
  }
});

describe('hostile input is handled fast', () => {
  const hostile: Record<string, ObservedTurn[]> = {
    'huge outputs': times(20, (i) => turn(read('a.ts', `${i}${'1:'.repeat(1_000_000)}`))),
    'a thousand calls in one turn': times(5, () =>
      turn(...times(1_000, (i) => run(`echo ${i}`, 'x'.repeat(5_000), failed))),
    ),
    'a thousand texts': times(5, () => ({ texts: times(1_000, () => 'a '.repeat(5_000)), calls: [] })),
    'texts made for slow patterns': ['1', 'a-', './', '/tmp/', 'a.', ' ', '0x', '1:11:', '@/'].map((piece) =>
      turn(call('run_command', { command: piece.repeat(5_000) }, piece.repeat(100_000), failed)),
    ),
    'inputs of unknown shape': [null, undefined, 1, 'x', [], { edits: [null, 1, {}] }, { edits: 1 }].map(
      (input) => turn(call('edit_file', input, 'x', { changed: [{ path: 'a', change: 'written' }] })),
    ),
    'a tool that does not exist': times(2, () => turn(call('x'.repeat(100_000), {}, 'no such tool', failed))),
  };

  test.each(Object.entries(hostile))('%s', (_name, turns) => {
    const startedAt = performance.now();
    watchOf(turns);
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });

  test('messages to the model are short', () => {
    const long = call('x'.repeat(10_000), { command: `\n\u0007${'y'.repeat(10_000)}` }, 'same', failed);
    const { verdicts } = watchOf(times(5, () => turn(long)));
    for (const verdict of verdicts) expect(verdict?.message.length ?? 0).toBeLessThan(1_000);
  });
});
