/** The short operations of a soak: the request, the answers of the model, and the expected end. */
import { interruptedOutput } from '@fettle/agent';
import type { Kind, State } from '@fettle/contract';
import { type Conversation, call, conversation, say, think, turn } from '@fettle/rehearsal';

/** A repository whose test passes when `sum.txt` says 5, and whose lint forbids one file. Only shell commands, which start fast. */
export const errandFiles = {
  'sum.txt': 'sum 4\n',
  'check.sh': 'grep -q "sum 5" sum.txt\n',
  'lint.sh': 'test ! -e docs/two.md\n',
  'old.txt': 'not needed any more\n',
  'docs/guide.md': '# Guide\n',
  '.fettle/config.yml': 'setup:\n  - mkdir -p built\ncommands:\n  lint: sh lint.sh\n  test: sh check.sh\n',
  '.gitignore': 'built\n',
};

interface Errand {
  kind: Kind;
  /** The state in which it ends when nobody cancels it. */
  end: State;
  turns: Conversation['turns'];
}

const read = turn(call('read_file', { path: 'sum.txt' }));
const mend = turn(call('edit_file', { path: 'sum.txt', edits: [{ old: 'sum 4', new: 'sum 5' }] }));
const done = turn(say('Mended the sum\n\nIt is five now.'));

/** Answers that change something contain one call, so an answer that was cut off can be repeated. */
export const errands: Record<string, Errand> = {
  mend: { kind: 'fix', end: 'awaiting_approval', turns: [read, mend, turn(call('test', {})), done] },
  wander: {
    kind: 'implement',
    end: 'awaiting_approval',
    turns: [
      turn(think('Where is it?'), say('I look first.'), call('list_directory', { path: '.' })),
      turn(call('write_file', { path: 'docs/one.md', content: 'one\n' })),
      turn(call('run_command', { command: 'grep -q "sum 5" sum.txt; touch built/left' })),
      turn(call('delete_file', { path: 'old.txt' })),
      mend,
      turn(call('git_diff', {})),
      turn(call('git_status', {}), call('search_text', { pattern: 'sum' })),
      done,
    ],
  },
  linger: {
    kind: 'fix',
    end: 'awaiting_approval',
    turns: [turn(call('run_command', { command: 'sleep 2; echo slept' })), mend, done],
  },
  stumble: {
    kind: 'refactor',
    end: 'awaiting_approval',
    turns: [
      turn(call('write_file', { path: 'docs/two.md', content: 'two\n' })),
      turn(say('Done, I think.')),
      turn(call('delete_file', { path: 'docs/two.md' })),
      mend,
      done,
    ],
  },
  ask: { kind: 'ask', end: 'answered', turns: [read, turn(say('The sum is four.'))] },
  leave: { kind: 'debug', end: 'unchanged', turns: [read, turn(say('There is nothing to change.'))] },
};

export const errandNames = Object.keys(errands);

/** The description of a request. The tag identifies its answers. */
export const describeErrand = (name: string, tag: string) => `${name} for ${tag}`;

export const errandConversations: Conversation[] = Object.entries(errands).map(([name, { turns }]) =>
  conversation(name, turns, { match: `${name} for soak-`, repeatOn: interruptedOutput.slice(0, 40) }),
);

/** Finds the errand of a request by its description. */
export function readErrand(text: string): { name: string; tag: string } | undefined {
  const [, name, tag] = /\b(\w+) for (soak-\d+)\b/.exec(text) ?? [];
  return name !== undefined && tag !== undefined ? { name, tag } : undefined;
}
