/** Finds every simple command of a line for bash, also inside loops, groups and substitutions. */
import { type Command, forEachChild, parse, type Redirect, type SyntaxNode, type Word } from 'unbash';

/** A word as far as the line alone determines it. */
export interface KnownWord {
  text: string;
  isPattern: boolean;
}

export interface FoundCommand {
  name: string;
  /** Words that depend on variables or on the output of commands are undefined. */
  args: (KnownWord | undefined)[];
  /** Files that it writes with `>`. */
  writes: KnownWord[];
  reads: KnownWord[];
}

/** They start the command that follows them. */
const wrappers = new Set('sudo env nohup command exec time nice builtin'.split(' '));
const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/** Empty if the line cannot be parsed: bash then reports the mistake. */
export function listCommands(line: string): FoundCommand[] {
  const found: FoundCommand[] = [];
  const script = parse(line);
  if ((script.errors?.length ?? 0) > 0) return found;
  collect(script, found);
  return found;
}

function collect(node: SyntaxNode, found: FoundCommand[]): void {
  if (node.type === 'Command') {
    const command = readCommand(node);
    if (command !== undefined) found.push(command);
  }
  forEachChild(node, (child) => collect(child, found));
}

function readCommand(node: Command): FoundCommand | undefined {
  const words = [node.name, ...node.args].map((word) => (word?.type === 'Word' ? readWord(word) : undefined));
  while (isWrapper(words)) words.shift();
  const [name, ...args] = words;
  if (name === undefined || name.isPattern) return undefined;
  const redirects = node.redirects.filter((redirect): redirect is Redirect => redirect.type === 'Redirect');
  const targets = (isKind: (operator: string) => boolean) =>
    redirects.flatMap(({ operator, target }) =>
      target !== undefined && isKind(operator) ? (readWord(target) ?? []) : [],
    );
  return {
    name: name.text.split('/').at(-1) ?? name.text,
    args,
    writes: targets((operator) => /^(&?>>?|>\||<>)$/.test(operator)),
    reads: targets((operator) => operator === '<'),
  };
}

function isWrapper([first, second]: (KnownWord | undefined)[]): boolean {
  if (first === undefined || second === undefined || second.text.startsWith('-')) return false;
  return wrappers.has(first.text) || ASSIGNMENT.test(first.text);
}

function readWord(word: Word): KnownWord | undefined {
  let isPattern = false;
  for (const part of word.parts ?? []) {
    if (part.type === 'Glob' || part.type === 'BraceExpansion') isPattern = true;
    else if (part.type === 'DoubleQuoted') {
      if (part.parts.some((child) => child.type !== 'Literal')) return undefined;
    } else if (part.type !== 'Literal' && part.type !== 'SingleQuoted' && part.type !== 'AnsiCQuoted')
      return undefined;
  }
  return { text: word.value, isPattern };
}
