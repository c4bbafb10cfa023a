import type { FinishedPart, FinishedToolPart } from '@fettle/contract';
import { describeEdits } from './describe-edits.ts';
import { describeExcerpt, describeOutput } from './describe-excerpt.ts';
import { harmless, harmlessLine } from './harmless.ts';
import { cyan, dim, green, type Line, type Piece, red, yellow } from './line.ts';
import { shortHash, showDuration } from './quantities.ts';
import { wrapText } from './text/text-width.ts';

const checkTools = ['typecheck', 'lint', 'test', 'build', 'format_check'];
const reasoningLines = 3;
const textLines = 60;
const numberWidth = 4;

export function describePart(part: FinishedPart, width: number): Line[] {
  switch (part.kind) {
    case 'text':
      return describeText(part.number, part.text, width);
    case 'reasoning':
      return part.text.trim() === '' ? [] : describeReasoning(part.number, part.text, width);
    case 'tool':
      return [describeCall(part), ...describeResult(part), ...describeReverted(part)];
  }
}

function describeText(number: number, text: string, width: number): Line[] {
  const lines = wrapText(harmless(text).trim(), width - numberWidth - 2);
  const left = lines.length - textLines;
  const rest: Line[] = left > 0 ? [[place(undefined), dim(`… ${left} more lines; see logs --json`)]] : [];
  const shown = lines
    .slice(0, textLines)
    .map((line, index) => [place(index === 0 ? number : undefined), line]);
  return [...shown, ...rest];
}

function describeReasoning(number: number, text: string, width: number): Line[] {
  const lines = wrapText(harmless(text).trim(), width - numberWidth - 2);
  const more = lines.length > reasoningLines ? ' …' : '';
  return lines
    .slice(0, reasoningLines)
    .map((line, index, shown) => [
      place(index === 0 ? number : undefined),
      dim(line + (index === shown.length - 1 ? more : '')),
    ]);
}

function describeCall(part: FinishedToolPart): Line {
  const checkpoint = part.checkpoint ? [dim(`  checkpoint ${shortHash(part.checkpoint)}`)] : [];
  const argument = mainArgument(part.input);
  return [
    place(part.number),
    ...verdict(part),
    cyan(harmlessLine(part.tool)),
    argument ? ` ${argument}` : '',
    // The duration of an interrupted call is unknown.
    part.status === 'interrupted' ? '' : dim(`  ${showDuration(part.programMs || part.durationMs)}`),
    ...checkpoint,
  ];
}

function verdict({ tool, status }: FinishedToolPart): Piece[] {
  if (status === 'denied') return [yellow('⊘ denied ')];
  if (status === 'interrupted') return [yellow('⊘ interrupted ')];
  const isCheck = checkTools.includes(tool);
  if (status === 'failed') return [red(isCheck ? '✗ failed ' : '✗ ')];
  return [green(isCheck ? '✓ passed ' : '✓ ')];
}

function describeResult(part: FinishedToolPart): Line[] {
  const { tool, status, output } = part;
  if (status === 'interrupted') return [];
  if (status === 'denied') return describeExcerpt({ text: output, lines: 4, keep: 'head', style: 'yellow' });
  if (checkTools.includes(tool)) return describeOutput(output, status === 'ok');
  if (tool === 'run_command') return describeExcerpt({ text: output, lines: 6, keep: 'tail' });
  if (status === 'failed') return describeExcerpt({ text: output, lines: 4, keep: 'head', style: 'red' });
  const edits = describeEdits(part);
  if (edits) return edits;
  return describeExcerpt({ text: output, lines: tool === 'read_file' ? 3 : 5, keep: 'head' });
}

/** Files that were reverted after the call. The output of run_command lists them already. */
function describeReverted({ tool, status, denials = [] }: FinishedToolPart): Line[] {
  if (status === 'denied' || tool === 'run_command') return [];
  const text = denials
    .map(({ subject, reason, rule }) => `reverted ${subject}: ${reason} (rule ${rule})`)
    .join('\n');
  return text === '' ? [] : describeExcerpt({ text, lines: 4, keep: 'head', style: 'yellow' });
}

/** The one argument that says what the call is about. */
export function mainArgument(input: unknown): string {
  const { path, command, pattern } = (input ?? {}) as Record<string, unknown>;
  const main = [command, pattern, path].filter((each): each is string => typeof each === 'string');
  if (main.length > 0) return main.map(harmlessLine).join(' in ');
  const json = JSON.stringify(input) ?? '';
  return json === '{}' || json === 'null' ? '' : harmlessLine(json).slice(0, 200);
}

function place(number: number | undefined): Piece {
  return dim(`${String(number ?? '').padStart(numberWidth)}  `);
}
