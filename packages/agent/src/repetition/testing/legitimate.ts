/** Repeated actions of good agents, which must not be reported as repetition. */
import { interruptPart } from '@fettle/contract';
import type { ObservedTurn } from '../observed-turn.ts';
import { call, edit, failed, read, run, saying, test, times, turn, written } from './turns.ts';

const sameFailure = 'FAIL login.test.ts\n  expected 200, got 500\n1 failed, 12 passed';
const page = (from: number) =>
  times(50, (line) => `${String(from + line).padStart(6)}\t  case ${from + line}: break;`).join('\n');
const interrupted = interruptPart(
  { kind: 'tool', number: 1, turn: 1, callId: 'c', tool: 'test', input: {} },
  'interrupted',
);

export const legitimateSequences: Record<string, ObservedTurn[]> = {
  'twenty files are read': times(20, (i) => turn(read(`src/file-${i}.ts`))),
  'twenty files with the same head are read': times(20, (i) =>
    turn(read(`src/file-${i}.ts`, `/* licence */\n`.repeat(40))),
  ),
  'twenty files are read, announced with the same sentence': times(20, (i) =>
    saying('Let me read the next file.', read(`src/file-${i}.ts`)),
  ),
  'searches for different words, without a match': times(12, (i) =>
    turn(
      call(
        'search_text',
        { pattern: `word${'abcdefghijkl'[i]}` },
        `Nothing matches word${'abcdefghijkl'[i]}.`,
      ),
    ),
  ),
  'tests after each edit, better each time': times(12, (i) => [
    turn(edit('src/a.ts', `old ${i}`, `new ${i}`)),
    turn(test(`${12 - i} failed`)),
  ]).flat(),
  'tests after each edit, the same one failing': times(12, (i) => [
    turn(edit('src/a.ts', `try ${i}`, `try ${i + 1}`)),
    turn(test(sameFailure)),
  ]).flat(),
  'edit and tests in one turn, with the same words': times(12, (i) =>
    saying(
      'Let me try another way and run the tests again.',
      edit('src/a.ts', `try ${i}`, `try ${i + 1}`),
      test(sameFailure),
    ),
  ),
  'waiting for a build that makes progress': times(30, (i) =>
    turn(run('sleep 5; cat status', `built ${i * 3} of 90 modules`)),
  ),
  'waiting for a build without new output': times(12, () =>
    turn(run('sleep 30; tail -1 build.log', 'linking')),
  ),
  'waiting for a file that is not there yet': times(12, () => turn(run('sleep 5; test -f done', '', failed))),
  'waiting in one call and looking in the next': times(10, () => [
    turn(run('sleep 10', '')),
    turn(run('cat status', 'building')),
  ]).flat(),
  'a flaky command is tried again, twice': [
    turn(run('npm run e2e', 'ECONNRESET', failed)),
    turn(run('npm run e2e', 'ECONNRESET', failed)),
    turn(run('npm run e2e', 'all passed')),
  ],
  'folders are listed down a tree': times(15, (i) =>
    turn(
      call('list_directory', { path: `src${'/deep'.repeat(i)}`, depth: 1 }, `src${'/deep'.repeat(i + 1)}/`),
    ),
  ),
  'a long file is paged through': times(25, (i) =>
    turn(read('src/long.ts', page(i * 50 + 1), { offset: i * 50 + 1, limit: 50 })),
  ),
  'a long file is paged through by a command': times(25, (i) =>
    turn(run(`sed -n ${i * 50 + 1},${i * 50 + 50}p src/long.ts`, page(i * 50 + 1))),
  ),
  'a diff after each edit': times(10, (i) => [
    turn(edit(`src/${i % 3}.ts`, `old ${i}`, `new ${i}`)),
    turn(call('git_diff', {}, `diff --git\n+new ${i}`)),
  ]).flat(),
  'the same file is read after each edit': times(10, (i) => [
    turn(edit('src/a.ts', `old ${i}`, `new ${i}`)),
    turn(read('src/a.ts', 'the beginning stays the same\n'.repeat(30))),
  ]).flat(),
  'the same command after packages were installed': [
    turn(test('Cannot find module x')),
    turn(test('Cannot find module x')),
    turn(call('install_dependencies', { packages: ['x'] }, 'added 1 package')),
    turn(test('Cannot find module x')),
    turn(run('npm run build', 'built')),
    turn(test('Cannot find module x')),
  ],
  'the same lint error is fixed in twenty files': times(20, (i) =>
    saying('Same here.', edit(`src/rules/rule-${i}.ts`, 'var x', 'const x')),
  ),
  'twenty packages are tested, one by one': times(20, (i) =>
    turn(run(`npm test -w packages/p${i}`, '5 passed')),
  ),
  'experiments on one file, each undone': times(6, (i) => [
    turn(edit('src/a.ts', 'return x', `log(${i}); return x`)),
    turn(test(`log ${i}\n${sameFailure}`)),
    turn(edit('src/a.ts', `log(${i}); return x`, 'return x')),
  ]).flat(),
  'a debug line is added and removed': [
    turn(edit('src/a.ts', 'return x', 'log(x); return x')),
    turn(test(`x is 4\n${sameFailure}`)),
    turn(edit('src/a.ts', 'log(x); return x', 'return x')),
    turn(edit('src/a.ts', 'return x', 'return x + 1')),
    turn(test('13 passed', {})),
  ],
  'two files are read now and then among many others': times(40, (i) =>
    turn(i % 10 === 0 ? read('README.md') : read(`src/file-${i}.ts`)),
  ),
  'a generated file is written by each build after an edit': times(8, (i) => [
    turn(edit('src/schema.ts', `field ${i}`, `field ${i + 1}`)),
    turn(call('build', {}, 'built', written('dist/schema.json'))),
    turn(test(sameFailure)),
  ]).flat(),
  'a call is made again after each lost worker': times(5, () => turn({ ...interrupted, effect: 'runs' })),
  'three guesses at a path, then a listing': [
    ...times(3, (i) =>
      turn(call('read_file', { path: `lib${i}/a.ts` }, `lib${i}/a.ts: no such file.`, failed)),
    ),
    turn(call('list_directory', { path: '.' }, 'src/')),
    turn(read('src/a.ts')),
  ],
  'one turn that alternates between two calls': [
    turn(...times(50, (i) => read(i % 2 === 0 ? 'src/a.ts' : 'src/b.ts'))),
  ],
  'one turn with many calls that are the same': [turn(...times(50, () => read('src/a.ts')))],
};
