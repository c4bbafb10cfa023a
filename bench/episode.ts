/** A 20-turn episode of reads, greps, edits and small commands, and a repository to play it in. */
import { type Conversation, call, conversation, say, turn } from '@fettle/rehearsal';

const edit = (n: number) =>
  call('edit_file', { path: `src/module${n}.ts`, edits: [{ old: `return ${n};`, new: `return ${n} + 1;` }] });

const calls = [
  call('list_directory', { path: 'src' }),
  call('read_file', { path: 'src/module1.ts' }),
  call('search_text', { pattern: 'module1\\b' }),
  call('read_file', { path: 'README.md' }),
  edit(1),
  call('run_command', { command: 'cat src/module1.ts' }),
  call('search_files', { pattern: 'src/**/*.ts' }),
  call('read_file', { path: 'src/module2.ts' }),
  edit(2),
  call('run_command', { command: 'ls src | wc -l' }),
  call('search_text', { pattern: 'return 3', literal: true }),
  call('read_file', { path: 'src/module3.ts' }),
  edit(3),
  call('run_command', { command: 'git status --short' }),
  call('read_file', { path: 'src/module4.ts' }),
  edit(4),
  call('search_text', { pattern: 'value\\d' }),
  call('read_file', { path: 'package.json' }),
  call('git_diff', {}),
];

export const episode: Conversation = conversation(
  'episode',
  [...calls.map((each) => turn(each)), turn(say('Done\n\nFour modules.'))],
  {
    match: 'episode',
  },
);

/** A short operation: read, change, done. */
export const errand: Conversation = conversation(
  'errand',
  [turn(call('read_file', { path: 'src/module1.ts' })), turn(edit(1)), turn(say('Done'))],
  { match: 'errand' },
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
