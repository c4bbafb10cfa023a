/**
 * Finds a line continuation inside a word, which parsers and shells read in different ways. In quotes and in
 * a here-document with a quoted delimiter it is no riddle.
 */
import { forEachChild, type Script, type SyntaxNode } from 'unbash';
import { type Refusal, refuse } from '../refusal.ts';

const CONTINUATION = /(?<![ \t\n])\\\n|\\$/g;

export function findContinuation(line: string, script: Script): Refusal | undefined {
  const found = [...line.matchAll(CONTINUATION)];
  if (found.length === 0) return undefined;
  const spans: [number, number][] = [];
  collectLiteral(script, spans);
  const isLiteral = (at: number) => spans.some(([from, to]) => from < at && at + 1 < to);
  const riddle = found.find(({ index }) => !isLiteral(index));
  return (
    riddle &&
    refuse('shell/continuation', 'a line continuation inside a word is ambiguous', {
      token: riddle[0],
      instead: 'put a space before the backslash, or write it as one line',
    })
  );
}

/** A shell removes it there; the parser has to agree. */
function removeEscapes(text: string): string {
  return text.replace(/\\([$`"\\\n])/g, (_, escaped: string) => (escaped === '\n' ? '' : escaped));
}

function collectLiteral(node: SyntaxNode, spans: [number, number][]): void {
  if (node.type === 'SingleQuoted') spans.push([node.pos, node.end]);
  else if (node.type === 'HereDoc') {
    const { delimiter, body } = node;
    if (delimiter !== undefined && delimiter.text !== delimiter.value) spans.push([body.pos - 1, body.end]);
  } else if (node.type === 'DoubleQuoted') {
    for (const part of node.parts) {
      if (part.type === 'Literal' && part.value === removeEscapes(part.text))
        spans.push([part.pos - 1, part.end]);
    }
  } else forEachChild(node, (child) => collectLiteral(child, spans));
}
