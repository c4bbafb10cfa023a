/** Shows what an edit or write changed, from the input of the tool call. */
import type { FinishedToolPart } from '@fettle/contract';
import { z } from 'zod';
import { indent } from './describe-excerpt.ts';
import { harmless } from './harmless.ts';
import { dim, green, type Line, red } from './line.ts';

const maxLines = 16;

const editSchema = z.object({ edits: z.array(z.object({ old: z.string(), new: z.string() })) });
const writeSchema = z.object({ content: z.string() });

export function describeEdits({ tool, input }: FinishedToolPart): Line[] | undefined {
  if (tool === 'edit_file') {
    const parsed = editSchema.safeParse(input);
    return parsed.success ? bound(parsed.data.edits.flatMap(describeEdit)) : undefined;
  }
  if (tool === 'write_file') {
    const parsed = writeSchema.safeParse(input);
    return parsed.success ? bound(linesOf(parsed.data.content).map(added)) : undefined;
  }
  return undefined;
}

/** Equal lines at the start and the end of an edit only locate it, so they are not shown. */
function describeEdit({ old, new: replacement }: { old: string; new: string }): Line[] {
  const [before, after] = [linesOf(old), linesOf(replacement)];
  let head = 0;
  while (head < before.length && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < Math.min(before.length, after.length) - head && before.at(-1 - tail) === after.at(-1 - tail))
    tail++;
  return [
    ...before.slice(head, before.length - tail).map(deleted),
    ...after.slice(head, after.length - tail).map(added),
  ];
}

function linesOf(text: string): string[] {
  return harmless(text).replace(/\n$/, '').split('\n');
}

const added = (line: string): Line => [dim(`${indent}│ `), green(`+ ${line}`)];
const deleted = (line: string): Line => [dim(`${indent}│ `), red(`- ${line}`)];

function bound(lines: Line[]): Line[] {
  const left = lines.length - maxLines;
  return left > 1 ? [...lines.slice(0, maxLines), [dim(`${indent}│ … ${left} more lines`)]] : lines;
}
