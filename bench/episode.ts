/** A 20-turn episode of reads, searches, edits and small commands, and its repository. */
import { type Conversation, call, conversationFor, say, turn } from '@fettle/rehearsal';

const edit = (n: number) =>
  call('edit_file', { path: `src/module${n}.ts`, edits: [{ old: `return ${n};`, new: `return ${n} + 1;` }] });

const read = (path: string) => call('read_file', { path });
const grep = (pattern: string) => call('search_text', { pattern });
const command = (line: string) => call('run_command', { command: line });

const calls = [
  read('README.md'),
  grep('module1\\b'),
  read('src/module1.ts'),
  edit(1),
  command('cat src/module1.ts'),
  grep('return 2'),
  read('src/module2.ts'),
  edit(2),
  command('ls src | wc -l'),
  read('package.json'),
  grep('value\\d'),
  read('src/module3.ts'),
  edit(3),
  command('git status --short'),
  grep('return 4'),
  read('src/module4.ts'),
  edit(4),
  read('src/module5.ts'),
  command('git diff --stat'),
];

export const episode: Conversation = conversationFor(
  'episode',
  ...calls.map((each) => turn(each)),
  turn(say('Done\n\nFour modules.')),
);

/** A short operation: read, change, done. */
export const errand: Conversation = conversationFor(
  'errand',
  turn(call('read_file', { path: 'src/module1.ts' })),
  turn(edit(1)),
  turn(say('Done')),
);

export const files: Record<string, string> = {
  'README.md': '# bench\n',
  'package.json': '{ "name": "bench", "private": true }\n',
  ...Object.fromEntries(
    Array.from({ length: 200 }, (_, n) => [
      `src/module${n}.ts`,
      `export function module${n}(): number {\n  // value${n}\n  return ${n};\n}\n`,
    ]),
  ),
};
