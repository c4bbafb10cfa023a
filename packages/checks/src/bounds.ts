import { type CheckFailure, maxFailuresKept } from '@fettle/contract';

export const maxLineLength = 2_000;
export const maxMessage = 500;
const maxName = 300;
/** A long output keeps this much of its start and its end, where tools print summaries. */
const keptHead = 500_000;
const keptTail = 1_500_000;

const keptFirstLines = 20_000;
const keptLastLines = 80_000;

export function cutMiddle(text: string): string {
  if (text.length <= keptHead + keptTail) return text;
  return `${text.slice(0, keptHead)}\n${text.slice(-keptTail)}`;
}

export function cutMiddleLines(lines: string[]): string[] {
  if (lines.length <= keptFirstLines + keptLastLines) return lines;
  return [...lines.slice(0, keptFirstLines), ...lines.slice(-keptLastLines)];
}

/** Limits the number and length of failures, and omits empty fields. */
export function boundFailures(failures: CheckFailure[]): CheckFailure[] {
  return failures.slice(0, maxFailuresKept).map(({ file, line, column, name, rule, message }) => ({
    ...(file ? { file: file.slice(0, maxName) } : {}),
    ...(isPosition(line) && { line }),
    ...(isPosition(column) && { column }),
    ...(name ? { name: name.slice(0, maxName) } : {}),
    ...(rule ? { rule: rule.slice(0, maxName) } : {}),
    message: message.trim().slice(0, maxMessage),
  }));
}

const isPosition = (value: number | undefined) => value !== undefined && Number.isSafeInteger(value);
