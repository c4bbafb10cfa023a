import { type CheckFailure, maxFailuresKept } from '@fettle/contract';

export const maxLineLength = 2_000;
export const maxMessage = 500;
const maxName = 300;
/** Of a long output, this much from its start and this much from its end; summaries stand there. */
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

/** The first failures, each no longer than it may be; empty fields are left out. */
export function boundFailures(failures: CheckFailure[]): CheckFailure[] {
  return failures.slice(0, maxFailuresKept).map(({ file, line, column, name, rule, message }) => ({
    ...(file ? { file: file.slice(0, maxName) } : {}),
    ...(isPlace(line) && { line }),
    ...(isPlace(column) && { column }),
    ...(name ? { name: name.slice(0, maxName) } : {}),
    ...(rule ? { rule: rule.slice(0, maxName) } : {}),
    message: message.trim().slice(0, maxMessage),
  }));
}

const isPlace = (value: number | undefined) => value !== undefined && Number.isSafeInteger(value);
