/** Recognises that a command exits with 0 although its own program was not found, as `xo || true` does. */
import { missingPrograms } from './missing-programs.ts';

const maxLines = 200;
/** npm, pnpm, bun and Yarn print the script that they run. */
const echoed = /^(?:>|\$) (?!\S+@\S+ [\w:-]+$)(.+)$/;
const ignoredByMake = /^g?make(?:\[\d+\])?: \[[^\]]*\] Error 127 \(ignored\)$/;
/** What hides an exit code. Anything else after `||` is another way to do the same. */
const hiding = /(?:\|\||;)\s*(?:true|:|exit 0|echo\b[^|&;]*)?\s*$/;

export function findHiddenProgram(command: string, lines: string[]): string | undefined {
  const read = [...lines.slice(0, maxLines), ...lines.slice(maxLines).slice(-maxLines)];
  const isIgnored = read.some((line) => ignoredByMake.test(line));
  const scripts = [command, ...read.flatMap((line) => echoed.exec(line)?.[1] ?? [])].map(listPrograms);
  for (const line of read)
    for (const pattern of missingPrograms) {
      const program = pattern.exec(line)?.[1];
      if (program === undefined) continue;
      if (isIgnored || scripts.some((programs) => programs.includes(program))) return program;
    }
  return undefined;
}

function listPrograms(script: string): string[] {
  const text = script.replace(hiding, '');
  if (text.includes('||')) return [];
  return text.split(/&&|[;|&]/).flatMap((part) => {
    const words = part.trim().split(/\s+/);
    return words.find((word) => !/^\w+=/.test(word)) ?? [];
  });
}
