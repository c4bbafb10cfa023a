/** Finds the request in a comment. It counts only at the start of a line, outside of code, quotes and hidden text. */
import { type Kind, kinds } from '@fettle/contract';

export type Command =
  | { kind: Kind; text: string }
  | { kind: 'stop' | 'retry' }
  /** `@fettle` without a kind: for the agent that works here, or a question. */
  | { kind: 'mention'; text: string };

const maxText = 10_000;

/** The first command of a comment, with the rest of the comment as its text. */
export function readCommand(body: string, mention: string): Command | undefined {
  const lines = withoutHiddenText(body).split(/\r?\n/);
  const start = findPlainLines(lines).find((index) => readLine(lines[index] ?? '', mention) !== undefined);
  if (start === undefined) return undefined;
  const found = readLine(lines[start] ?? '', mention);
  if (!found) return undefined;
  const text = [found.rest, ...lines.slice(start + 1)].join('\n').trim().slice(0, maxText);
  const { name } = found;
  return name === 'stop' || name === 'retry' ? { kind: name } : { kind: name, text };
}

interface CommandLine {
  name: Command['kind'];
  rest: string;
}

function readLine(line: string, mention: string): CommandLine | undefined {
  const [, slash, slashRest = ''] = /^\/([a-z]+)(?:\s+(.*))?$/i.exec(line) ?? [];
  if (slash !== undefined) {
    const name = slash.toLowerCase();
    if (isKind(name)) return { name, rest: slashRest };
    return name === 'fettle' ? readWord(slashRest, undefined) : undefined;
  }
  const [, addressed = '', rest = ''] = /^@([a-z\d-]+)(?:\[bot\])?[:,]?(?:\s+(.*))?$/i.exec(line) ?? [];
  if (addressed.toLowerCase() !== mention.toLowerCase()) return undefined;
  return readWord(rest, { name: 'mention', rest });
}

/** `stop`, `retry` or a kind, after `/fettle` or `@fettle`. */
function readWord(text: string, otherwise: CommandLine | undefined): CommandLine | undefined {
  const [, word = '', rest = ''] = /^\/?([a-z]+)\b[:,]?\s*(.*)$/i.exec(text) ?? [];
  const name = word.toLowerCase();
  if (name === 'stop' || name === 'retry') return rest === '' || !otherwise ? { name, rest: '' } : otherwise;
  return isKind(name) ? { name, rest } : otherwise;
}

const isKind = (name: string): name is Kind => (kinds as readonly string[]).includes(name);

/** HTML comments do not show, so nobody can have meant them as a request. Their lines stay, but empty. */
function withoutHiddenText(body: string): string {
  return body.replaceAll(/<!--[\s\S]*?(?:-->|$)/g, (hidden) => hidden.replaceAll(/[^\n]+/g, ''));
}

/** The indexes of lines outside of fenced code and quotes. A line right after a quote belongs to it. */
function findPlainLines(lines: string[]): number[] {
  const plain: number[] = [];
  let fence: string | undefined;
  let isQuoted = false;
  for (const [index, line] of lines.entries()) {
    const [, marks] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence !== undefined) {
      if (marks?.startsWith(fence) && /^ {0,3}[`~]+\s*$/.test(line)) fence = undefined;
      continue;
    }
    if (marks !== undefined) {
      fence = marks;
      continue;
    }
    if (/^ {0,3}>/.test(line)) isQuoted = true;
    else if (line.trim() === '') isQuoted = false;
    if (!isQuoted) plain.push(index);
  }
  return plain;
}
