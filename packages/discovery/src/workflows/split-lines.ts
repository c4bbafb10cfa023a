/** The plain commands of a step. A line with an expression or with anything else of a shell is left out. */
const maxLines = 100;
const maxLength = 300;

export function splitLines(run: string): string[] {
  const joined = run.replaceAll(/\\\r?\n\s*/g, ' ');
  return joined
    .split('\n', maxLines)
    .flatMap((line) => line.split('&&'))
    .map((line) => line.trim().replaceAll(/\s+/g, ' '))
    .filter(isPlain);
}

/** Words, quoted text and patterns, which mean the same in every shell. */
export const isPlain = (line: string): boolean =>
  line.length > 0 && line.length <= maxLength && /^[\w@./][\w@./:=,+*"' -]*$/.test(line);
