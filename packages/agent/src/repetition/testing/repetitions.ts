/** Recorded repetitions of every kind: when the first message comes, and how it begins. */
import type { ObservedTurn } from '../observed-turn.ts';
import { call, edit, failed, read, run, saying, test, times, turn, written } from './turns.ts';

export interface RecordedRepetition {
  name: string;
  turns: ObservedTurn[];
  /** The turn after which the first message comes, counted from 1, with a threshold of 3. */
  nudgeAfter: number;
  message: string;
}

const sameFailure = 'FAIL login.test.ts\n  expected 200, got 500\n1 failed, 12 passed';
const noMatch = 'Nothing was changed in src/a.ts: the old text is not in the file.';
const writeWhole = (content: string, blob?: string) =>
  turn(
    call('write_file', { path: 'a.ts', content }, `Wrote ${content.length} bytes.`, written('a.ts', blob)),
  );

export const recordedRepetitions: RecordedRepetition[] = [
  {
    name: 'the same file read again and again',
    turns: times(3, () => turn(read('src/a.ts'))),
    nudgeAfter: 3,
    message: 'read_file «src/a.ts» was called 3 times with the same result, and nothing changed in between.',
  },
  {
    name: 'tests run again without an edit; only times, dates, addresses and temp names differ',
    turns: times(3, (i) =>
      turn(
        test(
          `${sameFailure} in ${i * 7 + 3}ms at 2026-11-1${i} 10:0${i}:11\n(node:${4711 + i}) at 0x7ffe${i}a2b in /tmp/run-${i}/x`,
        ),
      ),
    ),
    nudgeAfter: 3,
    message: 'test was called 3 times with the same result, and nothing changed in between.',
  },
  {
    name: 'the same tests with reading in between',
    turns: times(3, (i) => [turn(test(sameFailure)), turn(read(`src/${i}.ts`))]).flat(),
    nudgeAfter: 5,
    message: 'test was called 3 times with the same result, and nothing changed in between.',
  },
  {
    name: 'a command that writes a report of its own each time',
    turns: times(3, () => turn(run('npm run coverage', '81 %', written('coverage.json')))),
    nudgeAfter: 3,
    message: 'run_command «npm run coverage» was called 3 times with the same result',
  },
  {
    name: 'fields of the input in a different order',
    turns: [
      turn(call('search_text', { pattern: 'x', path: 'src' }, 'Nothing matches x.')),
      turn(call('search_text', { path: 'src', pattern: 'x' }, 'Nothing matches x.')),
      turn(call('search_text', { pattern: 'x', path: 'src' }, 'Nothing matches x.')),
    ],
    nudgeAfter: 3,
    message: 'search_text «x» was called 3 times with the same result',
  },
  {
    name: 'repeated guesses at the path of a file',
    turns: times(6, (i) =>
      turn(call('read_file', { path: `src/v${i}/login.ts` }, `src/v${i}/login.ts: no such file.`, failed)),
    ),
    nudgeAfter: 6,
    message: '6 calls like read_file «src/v5/login.ts», which differ only in details, had the same result.',
  },
  {
    name: 'edits that do not match, each with another text',
    turns: times(6, (i) =>
      turn(
        call(
          'edit_file',
          { path: 'src/a.ts', edits: [{ old: 'x'.repeat(i + 1), new: 'y' }] },
          noMatch,
          failed,
        ),
      ),
    ),
    nudgeAfter: 6,
    message: '6 calls like edit_file «src/a.ts», which differ only in details, had the same result.',
  },
  {
    name: 'the same beginning of one file, a little longer each time',
    turns: times(6, (i) =>
      turn(read('src/a.ts', 'a line of the file\n'.repeat(40 + i), { offset: 1, limit: 40 + i })),
    ),
    nudgeAfter: 6,
    message: '6 calls like read_file «src/a.ts»',
  },
  {
    name: 'the same command with more and more time',
    turns: times(6, (i) =>
      turn(call('run_command', { command: 'npm run e2e', timeoutSeconds: 60 + i }, '0 tests\n(exit code 0)')),
    ),
    nudgeAfter: 6,
    message: '6 calls like run_command «npm run e2e», which differ only in details, had the same result.',
  },
  {
    name: 'waiting for something that never happens',
    turns: times(15, () => turn(run('sleep 5; cat status', 'building'))),
    nudgeAfter: 15,
    message: 'run_command «sleep 5; cat status» was called 15 times with the same result',
  },
  {
    name: 'A-B-A-B',
    turns: times(6, (i) => turn(i % 2 === 0 ? test(sameFailure) : read('src/a.ts'))),
    nudgeAfter: 5,
    message: 'read_file «src/a.ts» and test were called in alternation 3 times, with the same results.',
  },
  {
    name: 'A-B-C-A-B-C, all three in one turn',
    turns: times(3, () => turn(read('a.ts'), read('b.ts'), test(sameFailure))),
    nudgeAfter: 3,
    message: 'read_file «a.ts» and read_file «b.ts» and test were called in alternation 3 times',
  },
  {
    name: 'packages installed again and again before the same failure',
    turns: times(3, () => [
      turn(call('install_dependencies', {}, 'added 0 packages')),
      turn(test(sameFailure)),
    ]).flat(),
    nudgeAfter: 5,
    message: 'install_dependencies and test were called in alternation 3 times',
  },
  {
    name: 'the same failure between repeated installations',
    turns: times(10, (i) =>
      i % 2 === 0
        ? turn(test(sameFailure))
        : turn(call('install_dependencies', { folder: i % 4 === 1 ? 'a' : 'b' }, 'added 0 packages')),
    ),
    nudgeAfter: 9,
    message: 'test was called 3 times with the same result',
  },
  {
    name: 'tests in another order each time',
    turns: times(3, (i) =>
      turn(test(i % 2 === 0 ? `a failed (${i} ms)\nb passed` : `b passed\na failed (${i} ms)`, failed)),
    ),
    nudgeAfter: 3,
    message: 'test was called 3 times with the same result',
  },
  {
    name: 'edits that undo each other, with tests in between',
    turns: times(4, (i) => [
      turn(i % 2 === 0 ? edit('src/a.ts', '<', '<=') : edit('src/a.ts', '<=', '<')),
      turn(test(i % 2 === 0 ? sameFailure : '2 failed')),
    ]).flat(),
    nudgeAfter: 7,
    message: 'src/a.ts alternates between the same two states: 3 edits undid an earlier one.',
  },
  {
    name: 'whole files alternating between two contents',
    turns: times(5, (i) => writeWhole(i % 2 === 0 ? 'one' : 'other')),
    nudgeAfter: 5,
    message: 'a.ts alternates between the same two states: 3 edits undid an earlier one.',
  },
  {
    name: 'programs that alternate between two contents, known by the hash',
    turns: times(5, (i) => turn(run(`node fix.js ${i}`, `done ${i}`, written('a.ts', `blob${i % 2}`)))),
    nudgeAfter: 5,
    message: 'a.ts alternates between the same two states: 3 edits undid an earlier one.',
  },
  {
    name: 'an announcement without an action',
    turns: times(3, (i) => saying(`I will now fix the login handler (try ${i}).`)),
    nudgeAfter: 3,
    message: '«i will now fix the login handler try 2» was said in 3 turns in a row, and no file changed.',
  },
  {
    name: 'a long plan that is repeated with each new file',
    turns: times(6, (i) =>
      saying(
        'I need to find out where the session is created and whether its cookie is set with the right flags before I can change anything in the handler',
        read(`src/${i}.ts`),
      ),
    ),
    nudgeAfter: 6,
    message: '«i need to find out where the session is created',
  },
  {
    name: 'ten files read in a cycle',
    turns: times(30, (i) => turn(read(`src/${i % 10}.ts`))),
    nudgeAfter: 28,
    message: '18 turns in a row changed no file and returned no new result.',
  },
  {
    name: 'one command with a different number each time and the same output',
    turns: times(19, (i) => turn(run(`npm test -- --seed=${i} | tail -${i + 10}`, 'all 5 passed'))),
    nudgeAfter: 19,
    message: '18 turns in a row changed no file and returned no new result.',
  },
];
