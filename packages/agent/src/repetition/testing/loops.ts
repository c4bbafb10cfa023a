/** Recorded loops, one of each kind and its variants: where the first nudge falls, and how it begins. */
import type { NotedTurn } from '../noted-turn.ts';
import { call, edit, failed, read, run, saying, test, times, turn, written } from './notes.ts';

export interface RecordedLoop {
  name: string;
  turns: NotedTurn[];
  /** The turn after which the model is told, counted from 1, with a threshold of 3. */
  toldAfter: number;
  told: string;
}

const sameFailure = 'FAIL login.test.ts\n  expected 200, got 500\n1 failed, 12 passed';
const noMatch = 'Nothing was changed in src/a.ts: the old text is not in the file.';
const writeWhole = (content: string, blob?: string) =>
  turn(
    call('write_file', { path: 'a.ts', content }, `Wrote ${content.length} bytes.`, written('a.ts', blob)),
  );

export const recordedLoops: RecordedLoop[] = [
  {
    name: 'the same file read again and again',
    turns: times(3, () => turn(read('src/a.ts'))),
    toldAfter: 3,
    told: 'read_file «src/a.ts» was called 3 times with the same result, and nothing changed in between.',
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
    toldAfter: 3,
    told: 'test was called 3 times with the same result, and nothing changed in between.',
  },
  {
    name: 'the same tests with reading in between',
    turns: times(3, (i) => [turn(test(sameFailure)), turn(read(`src/${i}.ts`))]).flat(),
    toldAfter: 5,
    told: 'test was called 3 times with the same result, and nothing changed in between.',
  },
  {
    name: 'a command that writes a report of its own each time',
    turns: times(3, () => turn(run('npm run coverage', '81 %', written('coverage.json')))),
    toldAfter: 3,
    told: 'run_command «npm run coverage» was called 3 times with the same result',
  },
  {
    name: 'fields of the input in another order',
    turns: [
      turn(call('search_text', { pattern: 'x', path: 'src' }, 'Nothing matches x.')),
      turn(call('search_text', { path: 'src', pattern: 'x' }, 'Nothing matches x.')),
      turn(call('search_text', { pattern: 'x', path: 'src' }, 'Nothing matches x.')),
    ],
    toldAfter: 3,
    told: 'search_text «x» was called 3 times with the same result',
  },
  {
    name: 'guess after guess at where a file is',
    turns: times(6, (i) =>
      turn(call('read_file', { path: `src/v${i}/login.ts` }, `src/v${i}/login.ts: no such file.`, failed)),
    ),
    toldAfter: 6,
    told: '6 calls like read_file «src/v5/login.ts», which differ only in details, came to the same.',
  },
  {
    name: 'edits that do not fit, each with another text',
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
    toldAfter: 6,
    told: '6 calls like edit_file «src/a.ts», which differ only in details, came to the same.',
  },
  {
    name: 'the same beginning of one file, a little longer each time',
    turns: times(6, (i) =>
      turn(read('src/a.ts', 'a line of the file\n'.repeat(40 + i), { offset: 1, limit: 40 + i })),
    ),
    toldAfter: 6,
    told: '6 calls like read_file «src/a.ts»',
  },
  {
    name: 'the same command with more and more time',
    turns: times(6, (i) =>
      turn(call('run_command', { command: 'npm run e2e', timeoutSeconds: 60 + i }, '0 tests\n(exit code 0)')),
    ),
    toldAfter: 6,
    told: '6 calls like run_command «npm run e2e», which differ only in details, came to the same.',
  },
  {
    name: 'waiting for something that never comes',
    turns: times(15, () => turn(run('sleep 5; cat status', 'building'))),
    toldAfter: 15,
    told: 'run_command «sleep 5; cat status» was called 15 times with the same result',
  },
  {
    name: 'A-B-A-B',
    turns: times(6, (i) => turn(i % 2 === 0 ? test(sameFailure) : read('src/a.ts'))),
    toldAfter: 5,
    told: 'read_file «src/a.ts» and test were called in alternation, 3 times over, with the same results.',
  },
  {
    name: 'A-B-C-A-B-C, all three in one turn',
    turns: times(3, () => turn(read('a.ts'), read('b.ts'), test(sameFailure))),
    toldAfter: 3,
    told: 'read_file «a.ts» and read_file «b.ts» and test were called in alternation, 3 times over',
  },
  {
    name: 'packages installed again and again before the same failure',
    turns: times(3, () => [
      turn(call('install_dependencies', {}, 'added 0 packages')),
      turn(test(sameFailure)),
    ]).flat(),
    toldAfter: 5,
    told: 'install_dependencies and test were called in alternation, 3 times over',
  },
  {
    name: 'the same failure between installations that had been made before',
    turns: times(10, (i) =>
      i % 2 === 0
        ? turn(test(sameFailure))
        : turn(call('install_dependencies', { folder: i % 4 === 1 ? 'a' : 'b' }, 'added 0 packages')),
    ),
    toldAfter: 9,
    told: 'test was called 3 times with the same result',
  },
  {
    name: 'tests in another order each time',
    turns: times(3, (i) =>
      turn(test(i % 2 === 0 ? `a failed (${i} ms)\nb passed` : `b passed\na failed (${i} ms)`, failed)),
    ),
    toldAfter: 3,
    told: 'test was called 3 times with the same result',
  },
  {
    name: 'edits that undo each other, with tests in between',
    turns: times(4, (i) => [
      turn(i % 2 === 0 ? edit('src/a.ts', '<', '<=') : edit('src/a.ts', '<=', '<')),
      turn(test(i % 2 === 0 ? sameFailure : '2 failed')),
    ]).flat(),
    toldAfter: 7,
    told: 'src/a.ts goes to and fro between the same two states: 3 edits undid one before.',
  },
  {
    name: 'whole files written to and fro',
    turns: times(5, (i) => writeWhole(i % 2 === 0 ? 'one' : 'other')),
    toldAfter: 5,
    told: 'a.ts goes to and fro between the same two states: 3 edits undid one before.',
  },
  {
    name: 'programs that write a file to and fro, known by its hash',
    turns: times(5, (i) => turn(run(`node fix.js ${i}`, `done ${i}`, written('a.ts', `blob${i % 2}`)))),
    toldAfter: 5,
    told: 'a.ts goes to and fro between the same two states: 3 edits undid one before.',
  },
  {
    name: 'an announcement without a deed',
    turns: times(3, (i) => saying(`I will now fix the login handler (try ${i}).`)),
    toldAfter: 3,
    told: '«i will now fix the login handler try 2» was said 3 turns in a row, and no file changed.',
  },
  {
    name: 'a long plan said again beside each new file',
    turns: times(6, (i) =>
      saying(
        'I need to find out where the session is created and whether its cookie is set with the right flags before I can change anything in the handler',
        read(`src/${i}.ts`),
      ),
    ),
    toldAfter: 6,
    told: '«i need to find out where the session is created',
  },
  {
    name: 'ten files read round and round',
    turns: times(30, (i) => turn(read(`src/${i % 10}.ts`))),
    toldAfter: 28,
    told: '18 turns in a row brought no change in the files, no new result and nothing that had not been seen.',
  },
  {
    name: 'one command with another number each time, which says the same',
    turns: times(19, (i) => turn(run(`npm test -- --seed=${i} | tail -${i + 10}`, 'all 5 passed'))),
    toldAfter: 19,
    told: '18 turns in a row brought no change in the files, no new result and nothing that had not been seen.',
  },
];
