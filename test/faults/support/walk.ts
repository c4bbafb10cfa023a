/** An operation of twelve parts that reads, writes, deletes, runs and checks, for the crash tests. */
import { interruptedOutput } from '@fettle/agent';
import { call, conversation, say, think, turn } from '@fettle/rehearsal';
import { brokenSum } from '../../support/repository.ts';

export const walkFiles = {
  ...brokenSum,
  '.gitignore': 'build\n',
  'old.txt': 'not needed any more\n',
  'docs/guide.md': '# Guide\n',
};

export const walk = conversation(
  'walk',
  [
    turn(think('The sum is wrong somewhere.'), say('I look first.'), call('list_directory', { path: '.' })),
    turn(call('read_file', { path: 'sum.mjs' })),
    turn(call('run_command', { command: 'node --test; mkdir -p build && touch build/left' })),
    turn(
      call('write_file', { path: 'docs/one.md', content: 'one\n' }),
      call('write_file', { path: 'docs/two.md', content: 'two\n' }),
    ),
    turn(call('edit_file', { path: 'sum.mjs', edits: [{ old: 'a - b', new: 'a + b' }] })),
    turn(call('delete_file', { path: 'old.txt' })),
    turn(call('test', {})),
    turn(call('git_diff', {})),
    turn(say('Mended the sum\n\nIt adds now.')),
  ],
  { match: 'walk', repeatOn: interruptedOutput.slice(0, 40) },
);
/** The same with one call per answer, so an attempt that finishes one part advances by one answer. */
export const march = conversation(
  'march',
  walk.turns.flatMap(({ answer }) => {
    const calls = answer.content.filter(({ type }) => type === 'tool_use');
    return calls.length < 2 ? [{ answer }] : calls.map((each) => turn(each));
  }),
  { match: 'march', ...(walk.repeatOn !== undefined && { repeatOn: walk.repeatOn }) },
);

/** The numbers of an undisturbed operation. */
export const walkTurns = 9;
export const walkParts = 12;
export const walkToolParts = [3, 4, 5, 6, 7, 8, 9, 10, 11];
export const walkCheckpoints = 4;
